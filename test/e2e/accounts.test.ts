import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { type EventListening, listenToEvents } from '../helpers/http/listenToEvents.ts'
import { findAlarms } from '../helpers/stack/findAlarms.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

/** More of them in the long run (`LONG=1`). */
const crowd = process.env.LONG ? 1_000 : 200
const pollMs = 500
const perAccount = crowd + 5
const perClient = crowd + 10
/**
 * A disconnected client is noticed with one of the next writes, every two seconds, or after 30 seconds without reading.
 */
const noticedMs = 45_000

let dir: string
let stack: Stack
/** between the accounts Worker and the chain: counts its calls */
let node: BadNode
let base: string
const open: EventListening[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-accounts-'))
  const rpcPort = await findPort(0, 'port')
  node = await startBadNode(`http://127.0.0.1:${rpcPort}`)
  const accounts = {
    RPC_URLS: JSON.stringify({ sepolia: node.url }),
    BALANCES_POLL_MS: String(pollMs),
    STREAMS_PER_ACCOUNT: String(perAccount),
    STREAMS_PER_CLIENT: String(perClient),
    CMS_API_KEY: '',
  }
  stack = await startTestStack({ dir, rpcPort, vars: { accounts } })
  base = `${stack.info.baseUrl}/${stack.info.chainId}/accounts`
})

afterAll(async () => {
  await stack?.stop()
  node?.close()
  await rm(dir, { recursive: true, force: true })
})

afterEach(async () => {
  for (const listening of open.splice(0)) listening.close()
  node.interfere()
  await expectSilence()
})

const token = (symbol: string): Address => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found.address
}
const trader = (i: number): Address => stack.info.accounts[i]?.address as Address

const urlOf = (account: Address, ...tokens: string[]) => `${base}/${account}/balances/sse?tokens=${tokens.join()}`

const listen = async (url: string, headers?: Record<string, string>): Promise<EventListening> => {
  const listening = await listenToEvents(url, headers)
  open.push(listening)
  return listening
}

const transfer = (from: Address, symbol: string, to: Address, amount: bigint) =>
  sendFrom(stack.chain, from, {
    to: token(symbol),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

const countCalls = (method: string) => node.calls.filter((call) => call.method === method).length

const findWatches = () => findAlarms(dir, 'edgebook-accounts-BalanceWatch')

/**
 * No alarm is left, and the Worker sends nothing to the chain any more: no timer, no read. On a busy machine the request of a
 * disconnected client may reach its watch after all others were noticed.
 */
const expectSilence = async () => {
  const isSilent = async () => {
    if (findWatches().length > 0) return false
    node.calls.length = 0
    await sleep(4 * pollMs)
    return findWatches().length === 0 && node.calls.length === 0
  }
  await waitUntil('no alarm is set and no request is sent', isSilent, { timeoutMs: noticedMs, intervalMs: pollMs })
}

test('disabled notifications and subscriptions are 503, and balances still work', async () => {
  for (const name of ['notifications', 'subscriptions']) {
    const init = name === 'notifications' ? {} : { headers: { Authorization: listAuthorization } }
    const answer = await fetch(`${stack.info.baseUrl}/accounts/${trader(0)}/${name}`, init)
    expect([name, answer.status, answer.headers.get('Cache-Control')]).toEqual([name, 503, 'no-store'])
    const data = { settings: ['CMS_API_KEY'] }
    expect(await answer.json()).toEqual({ message: 'notifications are switched off', data })
  }
  expect((await fetch(`${base}/${trader(0)}/balances?tokens=${token('USDC')}`)).status).toBe(200)
})

/** Valid for every account until it expires. */
const listAuthorization = `EIP712 chainId=${networks.sepolia.chainId}, nonce=0x${'5e'.repeat(32)}, deadline=${Math.floor(Date.now() / 1_000) + 3_600}, signature=0x${'19'.repeat(65)}`

test('balances and allowances after a transfer and an approval take one call of the node', async () => {
  const [from, to] = [trader(0), trader(1)]
  const ask = async () => {
    const response = await fetch(`${base}/${to}/balances?tokens=${token('USDC')},${token('DAI')},${nativeSentinel}`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    return (await response.json()) as { token: object; balance: string; allowance: string }[]
  }
  const before = await ask()
  await transfer(from, 'USDC', to, 5n)
  const args = [networks.sepolia.vaultRelayer, 77n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  await sendFrom(stack.chain, to, { to: token('DAI'), data })
  node.calls.length = 0
  const after = await ask()
  expect(countCalls('eth_call')).toBe(1)
  expect(after[0]).toEqual({
    token: { address: token('USDC'), name: 'USD Coin', symbol: 'USDC', decimals: 6 },
    balance: String(BigInt(before[0]?.balance ?? 0) + 5n),
    allowance: '0',
  })
  expect(after[1]).toEqual({ ...before[1], allowance: '77' })
  expect(after[2]).toMatchObject({ token: { address: nativeSentinel, symbol: 'ETH' }, allowance: '0' })
  expect(BigInt(after[2]?.balance ?? 0)).toBeLessThan(BigInt(before[2]?.balance ?? 0))
})

describe('a stream of balances', () => {
  test('begins with all balances and sends each change of its own tokens within a block', async () => {
    const [account, other] = [trader(1), trader(2)]
    const listening = await listen(urlOf(account, token('USDC'), token('DAI')))
    expect(listening.status).toBe(200)
    expect(listening.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    })
    const ofWeth = await listen(urlOf(account, token('WETH')))
    const initial = await listening.hear('initial_balances')
    await ofWeth.hear('initial_balances')
    const rest = await (await fetch(`${base}/${account}/balances?tokens=${token('USDC')},${token('DAI')}`)).json()
    expect(initial.data).toEqual({ balances: rest })
    expect(listening.retry()).toBe('2000')

    const [usdc] = rest as { balance: string }[]
    await transfer(account, 'USDC', other, 9n)
    node.calls.length = 0
    const update = await listening.hear('balance_update')
    // one read may have begun before the block
    expect(countCalls('eth_call')).toBeLessThanOrEqual(2)
    expect(update).toEqual({
      id: expect.stringMatching(/^[0-9a-z]+-[0-9a-z]+-\d+$/),
      name: 'balance_update',
      data: {
        type: 'balance_change',
        chainId: 11_155_111,
        timestamp: expect.any(Number),
        userAddress: account,
        tokenAddress: token('USDC'),
        oldBalance: usdc?.balance,
        newBalance: String(BigInt(usdc?.balance ?? 0) - 9n),
      },
    })
    const args = [networks.sepolia.vaultRelayer, 123n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await sendFrom(stack.chain, account, { to: token('USDC'), data })
    expect((await listening.hear('balance_update', 2)).data).toMatchObject({
      type: 'allowance_change',
      oldAllowance: '0',
      newAllowance: '123',
    })
    expect(ofWeth.events.map(({ name }) => name)).toEqual(['initial_balances'])
  })

  test('resumes with the changes since its last event', async () => {
    const [account, other] = [trader(2), trader(3)]
    const url = urlOf(account, token('USDC'), token('DAI'))
    const first = await listen(url)
    const { id } = await first.hear('initial_balances')
    first.close()
    await transfer(account, 'USDC', other, 3n)
    const second = await listen(url, { 'Last-Event-ID': `${id}` })
    const update = await second.hear('balance_update')
    expect(update.data).toMatchObject({ type: 'balance_change', tokenAddress: token('USDC') })

    const third = await listen(url, { 'Last-Event-ID': `${update.id}` })
    await transfer(account, 'DAI', other, 4n)
    expect((await third.hear('balance_update')).data).toMatchObject({ tokenAddress: token('DAI') })
    expect(third.events.map(({ name }) => name)).toEqual(['balance_update'])

    const stranger = await listen(url, { 'Last-Event-ID': 'abc-def-7' })
    await stranger.hear('initial_balances')
  })

  test('does not start for HEAD', async () => {
    node.calls.length = 0
    const response = await fetch(urlOf(trader(0), token('USDC')), { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    await sleep(4 * pollMs)
    expect(node.calls).toEqual([])
  })

  test('reports a failed first read and begins when the node is back', async () => {
    node.interfere(() => {
      throw new NodeRefusal({ status: 500 })
    })
    const listening = await listen(urlOf(trader(3), token('DAI')))
    expect((await listening.hear('error')).data).toEqual({ message: expect.any(String) })
    await sleep(3 * pollMs)
    expect(listening.events.map(({ name }) => name)).toEqual(['error'])
    node.interfere()
    await listening.hear('initial_balances')
  })

  test('leaves no watch behind when its client leaves during the first read', async () => {
    const asked = Promise.withResolvers<void>()
    node.interfere(async (_call, forward) => {
      asked.resolve()
      await sleep(2_000)
      return forward()
    })
    const listening = await listen(urlOf(trader(0), token('COW')))
    await asked.promise
    expect(findWatches()).toHaveLength(1)
    listening.close()
    await expectSilence()
  })
})

test('leaves nothing behind when clients leave at any moment', async () => {
  const url = urlOf(trader(0), token('DAI'))
  const leaveAfter = (ms: number) => fetch(url, { signal: AbortSignal.timeout(ms) }).then((response) => response.text())
  const left = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => leaveAfter(1 + 4 * i)))
  expect(left.map(({ status }) => status)).not.toContain('fulfilled')
  await expectSilence()
})

test(`${crowd} listeners cost as much as one and leave nothing behind`, {
  timeout: 240_000,
}, async () => {
  const [account, other] = [trader(3), trader(2)]
  const url = urlOf(account, token('USDC'), token('DAI'), nativeSentinel)
  const lanes = Array.from({ length: 20 }, async () => {
    for (let i = 0; i < crowd / 20; i++) await listen(url)
  })
  await Promise.all(lanes)
  expect(open.filter(({ status }) => status === 200)).toHaveLength(crowd)
  await Promise.all(open.map(({ hear }) => hear('initial_balances')))

  node.calls.length = 0
  const firstBlock = await stack.chain.getBlockNumber()
  await transfer(account, 'USDC', other, 1n)
  await Promise.all(open.map(({ hear }) => hear('balance_update')))
  await sleep(6_000)
  const blocks = Number((await stack.chain.getBlockNumber()) - firstBlock)
  console.log(
    `${crowd} listeners: ${blocks} blocks, ${countCalls('eth_call')} reads, ${countCalls('eth_blockNumber')} heads`,
  )
  expect(blocks).toBeGreaterThan(2)
  expect(countCalls('eth_call')).toBeGreaterThan(1)
  expect(countCalls('eth_call')).toBeLessThanOrEqual(blocks + 1)

  const fill = async (more: number, address: Address) => {
    for (let i = 0; i < more; i++) expect((await listen(urlOf(address, token('WETH')))).status).toBe(200)
  }
  const expectRefusal = async (address: Address, limit: string, max: number) => {
    const response = await fetch(urlOf(address, token('WETH')))
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('30')
    expect(await response.json()).toMatchObject({ message: expect.any(String), data: { limit, max } })
  }
  await fill(perAccount - crowd, account)
  // a full watch refuses no client: the client gets a new watch
  await fill(1, account)
  await fill(perClient - perAccount - 1, other)
  await expectRefusal(trader(0), 'streamsPerClient', perClient)

  const pings = () => open[0]?.events.filter(({ name }) => name === 'ping').length ?? 0
  await waitUntil('the third ping', async () => pings() >= 3, { timeoutMs: 60_000 })
  expect(open.filter(({ isOpen }) => isOpen())).toHaveLength(perClient)

  for (const listening of open.splice(0)) listening.close()
  await expectSilence()
  expect((await listen(urlOf(trader(0), token('WETH')))).status).toBe(200)
})
