import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { sampleStepSeconds } from '#shared/slippage/computeVolatility.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { uniswapV2Abi } from '../../functions/solver/pools/uniswapV2Abi.ts'
import { type RunningProvider, respondWith, startProvider } from '../helpers/http/startProvider.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

const [sender, receiver] = devAccounts
const upper = (address: Address) => `0x${address.slice(2).toUpperCase()}`

let stack: Stack
/** between the tokens Worker and the chain */
let node: BadNode
/** substitute for Moralis and for Ethplorer */
let provider: RunningProvider

beforeAll(async () => {
  const rpcPort = await findPort(0, 'RPC_PORT')
  node = await startBadNode(`http://127.0.0.1:${rpcPort}`)
  provider = await startProvider()
  stack = await startTestStack({
    rpcPort,
    vars: {
      tokens: {
        RPC_URLS: JSON.stringify({ sepolia: node.url }),
        MORALIS_API_KEY: 'key',
        MORALIS_URL: `${provider.url}/moralis`,
        ETHPLORER_API_KEY: 'key',
        ETHPLORER_URLS: JSON.stringify({ sepolia: `${provider.url}/ethplorer` }),
      },
      markets: {
        PRICE_SAMPLE_INTERVAL_MS: '2000',
        SLIPPAGE_MIN_BPS: '1',
      },
    },
  })
})

afterAll(async () => {
  await stack?.stop()
  node?.close()
  await provider?.stop()
})

const token = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address

const send = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${stack.info.baseUrl}${path}`, init)
  return { status: response.status, headers: response.headers, body: (await response.json()) as never }
}
const askPrice = (asked: string, network = 'sepolia') => send(`/${network}/tokens/${asked}/usdPrice`)
const askHolders = (asked: string) => send(`/sepolia/tokens/${asked}/topHolders`)

describe('prices', () => {
  test.each<[string, () => string, number, string?]>([
    ['the token that stands for a dollar', () => token('USDC'), 1],
    ['the native token', () => '-', 3_000],
    ['wrapped', () => token('WETH'), 3_000],
    ['COW in capitals, by chain id', () => upper(token('COW')), 0.3, '11155111'],
  ])('%s', async (_, asked, expected, network) => {
    const { status, headers, body } = await askPrice(asked(), network)
    const { price } = body as { price: number }
    expect(status).toBe(200)
    expect(Math.abs(price / expected - 1)).toBeLessThan(0.02)
    if (expected === 1) expect(price).toBe(1)
    expect(headers.get('Cache-Control')).toBe('public, max-age=60, stale-while-revalidate=300, stale-if-error=600')
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
    { timeoutMs: patienceMs, intervalMs: 500 },
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
      // the index may be incomplete at first
      await waitUntil('holders', async () => (await askHolders(token(symbol))).status !== 503, {
        timeoutMs: patienceMs,
        intervalMs: 500,
      })
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
    await waitUntil('they send the node', async () => node.calls.length > 0, { timeoutMs: patienceMs })
    const isUp = async () => (await fetch(`${stack.info.baseUrl}/healthz`)).status === 200
    await waitUntil('the gateway answers', isUp, { timeoutMs: patienceMs })
    for (const path of ['details', 'usdPrice', 'topHolders']) {
      const { status, headers } = await send(`/sepolia/tokens/${token('COW')}/${path}`)
      expect([path, status, headers.get('Cache-Control')]).toEqual([path, 503, 'no-store'])
    }
    node.interfere()
    await started
    await sleep(1_000)
    for (const path of ['details', 'usdPrice', 'topHolders'])
      expect([path, (await send(`/sepolia/tokens/${token('COW')}/${path}`)).status]).toEqual([path, 200])
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

/** Trades, so that prices are sampled from here on. */
describe('markets', () => {
  const post = (path: string, body?: unknown) =>
    send(path, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })

  const waitForSecondSample = (address: Address) =>
    waitUntil(
      `two samples of ${address}`,
      async () =>
        (await connectDatabase(stack.info.databaseUrl).$count(priceSamples, eq(priceSamples.token, address))) >= 2,
      { timeoutMs: patienceMs },
    )

  test('prices of traded tokens are sampled, and a slippage is computed from them', async () => {
    const trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
    const [weth, usdc, dai] = ['WETH', 'USDC', 'DAI'].map((symbol) => stack.info.tokens[symbol])
    if (!weth || !usdc || !dai) throw new Error('no tokens')
    const market = `/sepolia/markets/${dai.address}-${usdc.address}`
    expect((await post(`${market}/slippageTolerance`)).body).toEqual({ slippageBps: 50, basis: 'unknown' })

    await trader.approveRelayer(weth.address)
    const swap = { kind: 'sell', sellToken: weth, buyToken: dai, amount: parseUnits('0.1', 18) } as const
    await waitForStatus(trader, await postSwap(trader, swap), 'fulfilled')

    const database = connectDatabase(stack.info.databaseUrl)
    const tokens = [weth, usdc, dai].map(({ address }) => address)
    // a step that ends meanwhile would leave one without a sample, or give what is changed below a second one
    const hasNewSamples = async () => {
      const step = Math.floor(Date.now() / 1_000 / sampleStepSeconds) * sampleStepSeconds
      const left = step + sampleStepSeconds - Date.now() / 1_000
      const isNew = and(inArray(priceSamples.token, tokens), eq(priceSamples.sampledAt, new Date(step * 1_000)))
      return left > 20 && (await database.$count(priceSamples, isNew)) === tokens.length
    }
    await waitUntil('samples of the three tokens in a step that lasts', hasNewSamples, { timeoutMs: patienceMs })
    // what was sampled becomes five minutes older, and the native token was worth two percent more then
    const rise = sql`case when ${priceSamples.token} = ${`\\x${weth.address.slice(2)}`}::bytea then 1.02 else 1 end`
    const newest = sql`(select max(sampled_at) from price_samples)`
    await database.batch([
      database.delete(priceSamples).where(lt(priceSamples.sampledAt, newest)),
      database.update(priceSamples).set({
        sampledAt: sql`${priceSamples.sampledAt} - interval '5 minutes'`,
        price: sql`${priceSamples.price} * ${rise}`,
      }),
    ])
    for (const address of tokens) await waitForSecondSample(address)

    const native = await post(`/11155111/markets/--${usdc.address}/slippageTolerance`)
    expect(native).toMatchObject({ status: 200, body: { basis: 'pair' } })
    const { slippageBps } = native.body as { slippageBps: number }
    // two samples two percent apart: a standard deviation of one percent, and what the trade moved
    expect(slippageBps).toBeGreaterThanOrEqual(90)
    expect(slippageBps).toBeLessThanOrEqual(110)
    expect((await post(`${market}/slippageTolerance`)).body).toMatchObject({ basis: 'pair' })

    const { body } = await post(`/sepolia/markets/${nativeSentinel}-${dai.address}/volatilityDetails`)
    const { baseToken, quoteToken } = body as Record<string, { tokenAddress: string; usdPrice: number }>
    expect(baseToken?.tokenAddress).toBe(weth.address.toLowerCase())
    expect(baseToken?.usdPrice).toBeGreaterThan(100)
    expect(quoteToken?.usdPrice).toBeGreaterThan(0.9)
    expect(quoteToken?.usdPrice).toBeLessThan(1.1)
  })
})
