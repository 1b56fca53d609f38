import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { uniswapV2Abi } from '../../functions/solver/pools/uniswapV2Abi.ts'
import { type RunningProvider, respondWith, startProvider } from '../helpers/http/startProvider.ts'
import { quotingAt, type RunningSolver, startSolver } from '../helpers/solvers/startSolver.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

const [sender, receiver] = devAccounts
const upper = (address: Address) => `0x${address.slice(2).toUpperCase()}`

let stack: Stack
/** between the tokens Worker and the chain */
let node: BadNode
/** substitute for Moralis and for Ethplorer */
let provider: RunningProvider
/** a solver without routes that counts its requests */
let counting: RunningSolver

beforeAll(async () => {
  const rpcPort = await findPort(0, 'RPC_PORT')
  node = await startBadNode(`http://127.0.0.1:${rpcPort}`)
  provider = await startProvider()
  counting = await startSolver('counting', quotingAt({}))
  const { name, address, baseUrl } = counting.solver
  stack = await startTestStack({
    rpcPort,
    extraSolvers: [{ name, address, url: baseUrl ?? '' }],
    vars: {
      tokens: {
        RPC_URLS: JSON.stringify({ sepolia: node.url }),
        MORALIS_API_KEY: 'key',
        MORALIS_URL: `${provider.url}/moralis`,
        ETHPLORER_API_KEY: 'key',
        ETHPLORER_URLS: JSON.stringify({ sepolia: `${provider.url}/ethplorer` }),
      },
    },
  })
})

afterAll(async () => {
  await stack?.stop()
  node?.close()
  await provider?.stop()
  await counting?.stop()
})

const token = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address

const ask = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${stack.info.baseUrl}${path}`, init)
  return { status: response.status, headers: response.headers, body: (await response.json()) as never }
}
const askPrice = (asked: string, network = 'sepolia') => ask(`/${network}/tokens/${asked}/usdPrice`)
const askHolders = (asked: string) => ask(`/sepolia/tokens/${asked}/topHolders`)

describe('prices', () => {
  test.each<[string, () => string, number, string?]>([
    ['the token that stands for a dollar', () => token('USDC'), 1],
    ['the native token', () => '-', 3_000],
    ['the native token by its address', () => nativeSentinel, 3_000],
    ['the same in capitals, by chain id', () => upper(nativeSentinel), 3_000, '11155111'],
    ['wrapped', () => token('WETH'), 3_000],
    ['COW', () => token('COW'), 0.3],
    ['COW in capitals, by chain id', () => upper(token('COW')), 0.3, '11155111'],
  ])('%s', async (_, asked, expected, network) => {
    const { status, headers, body } = await askPrice(asked(), network)
    const { price } = body as { price: number }
    expect(status).toBe(200)
    expect(Math.abs(price / expected - 1)).toBeLessThan(0.02)
    if (expected === 1) expect(price).toBe(1)
    expect(headers.get('Cache-Control')).toBe('public, max-age=60, stale-while-revalidate=300, stale-if-error=600')
  })

  test('an address without a token has none', async () => {
    const { status, headers, body } = await askPrice(zeroAddress)
    expect({ status, body }).toMatchObject({ status: 404, body: { message: 'Price not found' } })
    expect(headers.get('Cache-Control')).toBe('public, max-age=15')
    // an address costs a stranger nothing
    expect(counting.asked.filter(({ search }) => search.includes(zeroAddress))).toEqual([])
  })

  test('of many tokens at once, with details', async () => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ tokenAddresses: [upper(token('USDC')), zeroAddress] }),
    }
    expect(await ask('/11155111/tokens/prices', init)).toMatchObject({
      status: 200,
      body: [
        { address: token('USDC'), price: 1, status: 'price' },
        { address: zeroAddress, price: null, status: 'unknown' },
      ],
    })
    expect(await ask('/sepolia/tokens/details', init)).toMatchObject({ status: 200, body: [{ symbol: 'USDC' }] })
    expect(await ask(`/sepolia/tokens/${token('WETH')}/details`)).toMatchObject({
      status: 200,
      body: { address: token('WETH'), name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 },
    })
  })

  test('no request stores a price, or its absence, under the name of another token', async () => {
    const before = await askPrice(token('COW'))
    for (const path of [
      `/11155111:${token('COW')}/tokens/-/usdPrice`,
      `/sepolia:${token('COW')}/tokens/-/usdPrice`,
      `/sepolia%2ftokens%2f${token('COW')}/tokens/-/usdPrice`,
      `/sepolia/tokens/-:${token('COW')}/usdPrice`,
      `/sepolia/tokens/${token('COW')}%00/usdPrice`,
      `/sepolia/tokens/${token('COW')}:x/usdPrice`,
      `/1e1/tokens/${token('COW')}/usdPrice`,
      `/011155111/tokens/${token('COW')}/usdPrice`,
    ]) {
      const { status } = await ask(path)
      expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code === 400 || code === 404)])
    }
    expect(await askPrice(token('COW'))).toMatchObject({ status: 200, body: before.body })
  })

  test('a hundred simultaneous requests query every source once', async () => {
    const countAsked = (address: Address) => counting.asked.filter(({ search }) => search.includes(address)).length
    const pair = await findPair()
    // the pair has no market, but every solver is queried
    const before = countAsked(pair)
    await askPrice(pair)
    const ofOne = countAsked(pair) - before
    expect(ofOne).toBeGreaterThan(0)
    const dai = token('DAI')
    const daiBefore = countAsked(dai)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => askPrice(i % 2 ? dai : upper(dai))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(countAsked(dai) - daiBefore).toBe(ofOne)
  })
})

/** A token that the stack does not index: shares of a pool. */
const findPair = async (): Promise<Address> => {
  const args = [token('WETH'), token('COW')] as const
  const factory = { address: networks.sepolia.uniswapV2Factory, abi: uniswapV2Abi } as const
  const pair = await stack.chain.readContract({ ...factory, functionName: 'getPair', args })
  return pair.toLowerCase() as Address
}

/** Balances of all accounts that any log of a token names, as the chain has them, the largest first. */
const findBalances = async (address: Address) => {
  const logs = await stack.chain.getLogs({ address, fromBlock: 0n })
  const named = logs.flatMap(({ topics }) => (topics as Hex[]).slice(1).map((topic): Address => `0x${topic.slice(26)}`))
  const accounts = [...new Set([...named, ...devAccounts.map((account) => account.address.toLowerCase() as Address)])]
  const holders = await Promise.all(
    accounts.map(async (account) => ({
      address: account,
      balance: await stack.chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
    })),
  )
  return holders
    .filter(({ balance }) => balance > 0n)
    .sort((a, b) => (a.balance === b.balance ? (a.address < b.address ? -1 : 1) : a.balance > b.balance ? -1 : 1))
    .slice(0, 100)
    .map((holder) => ({ ...holder, balance: String(holder.balance) }))
}

const waitForHolders = (address: Address) =>
  waitUntil(
    'the holders are those of the chain',
    async () => {
      const [expected, { status, body }] = await Promise.all([findBalances(address), askHolders(address)])
      return status === 200 && JSON.stringify(body) === JSON.stringify(expected)
    },
    { timeoutMs: 30_000, intervalMs: 500 },
  )

const transfer = (symbol: string, to: Address, amount: bigint) =>
  sendFrom(stack.chain, sender.address, {
    to: token(symbol),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

describe('holders', () => {
  test.each(['USDC', 'DAI', 'COW', 'WETH'])(
    '%s: every account of the chain, to the atom, from its logs',
    async (symbol) => {
      const { status, headers, body } = await askHolders(upper(token(symbol)))
      expect({ status, body }).toEqual({ status: 200, body: await findBalances(token(symbol)) })
      expect((body as unknown[]).length).toBeGreaterThan(4)
      expect(headers.get('Cache-Control')).toBe('public, max-age=300, stale-while-revalidate=3600')
    },
  )

  test('a transfer, wrapping and a reorganisation are followed', async () => {
    const stranger: Address = '0x00000000000000000000000000000000000dead1'
    await transfer('COW', stranger, 12_345n)
    await waitForHolders(token('COW'))
    expect(JSON.stringify((await askHolders(token('COW'))).body)).toContain(stranger)
    await sendFrom(stack.chain, receiver.address, { to: token('WETH'), value: 7n })
    await waitForHolders(token('WETH'))
    await stack.chain.mine({ blocks: 3 })
    await transfer('USDC', stranger, 5n)
    await waitForHolders(token('USDC'))
    await stack.chain.request({ method: 'anvil_reorg', params: [2, []] } as never)
    await stack.chain.mine({ blocks: 1 })
    await waitForHolders(token('USDC'))
    await waitForHolders(token('COW'))
  })

  test('lists at most a hundred, the largest first', async () => {
    const stranger = (i: number): Address => `0x${(0xabc000 + i).toString(16).padStart(40, '0')}`
    for (let i = 0; i < 120; i += 1) await transfer('DAI', stranger(i), BigInt(i + 1))
    await waitForHolders(token('DAI'))
    const holders = (await askHolders(token('DAI'))).body as { balance: string }[]
    const balances = holders.map(({ balance }) => BigInt(balance))
    expect(balances).toHaveLength(100)
    expect(balances).toEqual(balances.toSorted((a, b) => (a > b ? -1 : 1)))
    // the smallest of the strangers are not listed
    expect(balances.at(-1)).toBeGreaterThan(20n)
  })

  test.each(['-', nativeSentinel, zeroAddress])('%s has none', async (asked) => {
    const { status, body } = await askHolders(asked)
    expect({ status, body }).toMatchObject({ status: 404, body: { message: 'Token holders not found' } })
    expect(provider.asked.filter((path) => path.includes(zeroAddress))).toEqual([])
  })

  test("other tokens are requested from providers, once for a hundred requests, and a provider's failure is an error", async () => {
    const pair = await findPair()
    provider.answer(respondWith({}, 429))
    const refused = await askHolders(pair)
    expect(refused).toMatchObject({ status: 503, body: { data: { sources: ['moralis', 'ethplorer'] } } })
    expect(refused.headers.get('Retry-After')).toBe('1')
    provider.answer((request, response) => {
      const isMoralis = request.url?.startsWith('/moralis')
      const body = isMoralis ? 'down' : { holders: [{ address: upper(pair), rawBalance: '5' }] }
      setTimeout(() => respondWith(body, isMoralis ? 500 : 200)(request, response), 300)
    })
    // a provider is skipped for a second after a failure
    await sleep(1_000)
    const before = provider.asked.length
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => askHolders(i % 2 ? pair : upper(pair))))
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 200, body: [{ address: pair, balance: '5' }] })
    expect(provider.asked.slice(before).map((path) => path.split('/')[1])).toEqual(['moralis', 'ethplorer'])
  })
})

describe('an unavailable node', () => {
  test('is a 503 for unknown values while cached ones stay, and the service recovers', async () => {
    provider.answer(respondWith('down', 500))
    await stack.workers.stop()
    node.interfere(() => {
      throw new NodeRefusal({ status: 502 })
    })
    // the Workers wait for it to be ready
    const started = stack.workers.start()
    await waitUntil('they ask the node', async () => node.calls.length > 0, { timeoutMs: 60_000 })
    const isUp = async () => (await fetch(`${stack.info.baseUrl}/healthz`)).status === 200
    await waitUntil('the gateway answers', isUp, { timeoutMs: 60_000 })
    for (const path of ['details', 'usdPrice', 'topHolders']) {
      const { status, headers } = await ask(`/sepolia/tokens/${token('COW')}/${path}`)
      expect([path, status, headers.get('Cache-Control')]).toEqual([path, 503, 'no-store'])
    }
    node.interfere()
    await started
    await sleep(1_000)
    for (const path of ['details', 'usdPrice', 'topHolders'])
      expect([path, (await ask(`/sepolia/tokens/${token('COW')}/${path}`)).status]).toEqual([path, 200])
    await waitForHolders(token('COW'))
    // the index outlived its Worker: only new logs were read
    const ranges = node.calls.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => params[0])
    expect(ranges.length).toBeGreaterThan(0)
    for (const range of ranges) expect(Number((range as { fromBlock: Hex }).fromBlock)).toBeGreaterThan(0)
    node.interfere(() => {
      throw new NodeRefusal({ status: 502 })
    })
    await sleep(6_000)
    expect(await askHolders(token('COW'))).toMatchObject({ status: 200, body: await findBalances(token('COW')) })
    node.interfere()
  })
})
