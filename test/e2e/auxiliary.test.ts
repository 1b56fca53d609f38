import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits, toHex, zeroAddress } from 'viem'
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
/** substitute for DefiLlama */
let yields: RunningProvider

const poolAddress: Address = `0x${'ab'.repeat(20)}`

beforeAll(async () => {
  const rpcPort = await findPort(0, 'RPC_PORT')
  node = await startBadNode(`http://127.0.0.1:${rpcPort}`)
  provider = await startProvider()
  yields = await startProvider()
  yields.answer(
    respondWith({
      status: 'success',
      data: [{ chain: 'Ethereum', project: 'uniswap-v3', pool: 'a', pool_old: poolAddress, tvlUsd: 5, apyBase: 1.5 }],
    }),
  )
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
      markets: {
        PRICE_SAMPLE_INTERVAL_MS: '2000',
        SLIPPAGE_MIN_BPS: '1',
        YIELDS_ENABLED: 'true',
        DEFILLAMA_YIELDS_URL: `${yields.url}/pools`,
      },
    },
  })
})

afterAll(async () => {
  await stack?.stop()
  node?.close()
  await provider?.stop()
  await yields?.stop()
  await counting?.stop()
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
    expect(await send('/11155111/tokens/prices', init)).toMatchObject({
      status: 200,
      body: [
        { address: token('USDC'), price: 1, status: 'price' },
        { address: zeroAddress, price: null, status: 'unknown' },
      ],
    })
    expect(await send('/sepolia/tokens/details', init)).toMatchObject({ status: 200, body: [{ symbol: 'USDC' }] })
    expect(await send(`/sepolia/tokens/${token('WETH')}/details`)).toMatchObject({
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
      const { status } = await send(path)
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
      const step = Math.round(Date.now() / 1_000 / sampleStepSeconds) * sampleStepSeconds
      const left = step + sampleStepSeconds / 2 - Date.now() / 1_000
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

  describe('simulateBundle', () => {
    test('approve and transferFrom: what moves, to the atom, and what is stored', async () => {
      const [owner, spender] = stack.info.accounts.map(({ address }) => address.toLowerCase() as Address)
      if (!owner || !spender) throw new Error('no accounts')
      const dai = token('DAI').toLowerCase() as Address
      const amount = parseEther('5') + 1n
      const call = (from: Address, data: Hex) => ({
        from,
        to: dai,
        input: data,
        value: '0',
        gas: 200_000,
        gas_price: '0',
      })
      const { status, body } = await post('/sepolia/simulation/simulateBundle', [
        call(owner, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })),
        call(
          spender,
          encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [owner, spender, amount] }),
        ),
        call(spender, encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [owner, spender, 1n] })),
      ])
      expect(status).toBe(200)
      const [approved, moved, refused] = body as { stateDiff: { raw: { dirty: Hex }[] }[] }[]
      const diff = { [owner]: { [dai]: `-${amount}` }, [spender]: { [dai]: `${amount}` } }
      expect(approved).toMatchObject({ status: true, cumulativeBalancesDiff: {} })
      expect(approved?.stateDiff[0]?.raw).toMatchObject([{ dirty: toHex(amount, { size: 32 }) }])
      expect(moved).toMatchObject({ status: true, cumulativeBalancesDiff: diff })
      // the allowance is used up: two balances are all that is left of the changes
      expect(moved?.stateDiff[0]?.raw).toHaveLength(2)
      expect(refused).toMatchObject({ status: false, cumulativeBalancesDiff: diff })
    })

    test('a sender without the value is 400, and the chain stays as it is', async () => {
      const before = await stack.chain.getBalance({ address: nativeSentinel })
      const good = { from: stack.info.accounts[0]?.address, to: nativeSentinel, input: '0x', value: '1' }
      const { status, body } = await post('/1/simulation/simulateBundle', [good])
      expect({ status, body }).toMatchObject({ status: 404, body: { message: expect.stringContaining('not served') } })
      expect((await post('/sepolia/simulation/simulateBundle', [good])).status).toBe(200)
      const poor = await post('/sepolia/simulation/simulateBundle', [{ ...good, from: `0x${'5a'.repeat(20)}` }])
      expect(poor).toMatchObject({ status: 400, body: { message: 'Build simulation error' } })
      expect(await stack.chain.getBalance({ address: nativeSentinel })).toBe(before)
    })
  })

  test('yield: requested from the provider, empty on a network without data', async () => {
    expect(await post('/sepolia/yield/pools', [])).toMatchObject({ status: 200, body: [] })
    expect(await post('/sepolia/yield/pools', [poolAddress])).toMatchObject({ status: 200, body: [] })
    const averages = await post('/sepolia/yield/pools-average-apr')
    expect(averages).toMatchObject({ status: 200, body: {} })
    expect(averages.headers.get('Cache-Control')).toBe('public, max-age=3600')
    await waitUntil('a question to the provider', async () => yields.asked.includes('/pools'), {
      timeoutMs: patienceMs,
    })
  })
})
