import type { RequestListener } from 'node:http'
import { type Address, encodeFunctionData, type Hex, parseAbi, parseEther, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { replaceYieldPools, type YieldPool } from '#schema/queries/markets/yieldPools.ts'
import { insertQuote } from '#schema/queries/quotes/quotes.ts'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { yieldPools } from '#schema/tables/markets/yieldPools.ts'
import { quotes } from '#schema/tables/quotes/quotes.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { sampleStepSeconds } from '#shared/slippage/computeVolatility.ts'
import { hostileCode, hostileNames } from '#test/helpers/chain/hostileCode.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { newQuote } from '#test/helpers/database/newQuote.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { failures, respondWith, startProvider } from '#test/helpers/http/startProvider.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { deployTestTokens, type TestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import { installContract } from '#tools/stack/chain/contracts/installContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import markets from './index.ts'

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const { chainId, wrappedNative, usdReference } = networks.sepolia
const usd = usdReference.address
const other: Address = `0x${'0d'.repeat(20)}`
const stranger: Address = `0x${'5a'.repeat(20)}`

let chain: TestChain
let tokens: TestTokens
let store: TestDatabase
let node: BadNode
let settings: Record<string, unknown>
const armed: unknown[] = []

const objects = (name: string) => ({
  getByName: (object: string) => ({
    arm: async (...given: unknown[]) => void armed.push([name, object, ...given]),
  }),
})

beforeAll(async () => {
  ;[chain, store] = await Promise.all([startTestChain(), startTestDatabase()])
  tokens = await deployTestTokens(chain.chain)
  node = await startBadNode(chain.rpcUrl)
  settings = {
    RPC_URLS: JSON.stringify({ sepolia: node.url }),
    DATABASE_URL: store.databaseUrl,
    TOKENS: {},
    SAMPLERS: objects('prices'),
    COLLECTORS: objects('yields'),
  }
})

beforeEach(async () => {
  node.interfere()
  await store.database.delete(priceSamples)
  await store.database.delete(quotes)
})

afterAll(async () => {
  node?.close()
  await Promise.all([chain?.stop(), store?.close()])
})

const ask = async (path: string, init?: RequestInit, env: object = settings) => {
  const response = await markets.fetch(new Request(`http://markets${path}`, init), env, context)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const post = (path: string, body: unknown, env?: object) =>
  ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }, env)

const step = Math.floor(Date.now() / 1_000 / sampleStepSeconds) * sampleStepSeconds

/** One sample a step, the last one in the step before this one. */
const insertSeries = (token: Address, prices: number[], last = step) =>
  store.database.insert(priceSamples).values(
    prices.map((price, i) => ({
      chainId,
      token,
      price,
      sampledAt: new Date((last - (prices.length - 1 - i) * sampleStepSeconds) * 1_000),
    })),
  )

describe('slippageTolerance', () => {
  const askSlippage = (pair: string, env?: object, query = '') =>
    ask(`/sepolia/markets/${pair}/slippageTolerance${query}`, undefined, env)

  test('is the volatility of the pair, for any form of its tokens and its network', async () => {
    await insertSeries(wrappedNative, [2_500, 2_475, 2_525, 2_500])
    await insertSeries(usd, [1, 1, 1, 1])
    const native = ['-', nativeSentinel, nativeSentinel.toUpperCase().replace('X', 'x'), wrappedNative]
    for (const token of native) {
      const { status, body, headers } = await askSlippage(`${token}-${usd}`)
      expect({ status, body }).toEqual({ status: 200, body: { slippageBps: 71, basis: 'pair' } })
      expect(headers.get('Cache-Control')).toBe('public, max-age=120')
      expect(headers.get('Server-Timing')).toMatch(/^db;.*desc="1"$/)
    }
    expect((await ask(`/11155111/markets/${usd}--/slippageTolerance`)).body).toEqual({ slippageBps: 71, basis: 'pair' })
  })

  test('without common moments is that of the more volatile token', async () => {
    // both prices are current even when a step of five minutes begins meanwhile
    await insertSeries(wrappedNative, [2_500, 2_550], step + sampleStepSeconds)
    await insertSeries(usd, [1, 1], step - sampleStepSeconds)
    const { body } = await askSlippage(`${wrappedNative}-${usd}`)
    expect(body).toEqual({ slippageBps: 99, basis: 'tokens' })
  })

  test.each<[string, number[], number[], number]>([
    ['nothing is known', [], [], 0],
    ['one token is unknown', [2_500, 2_600], [], 0],
    ['each has one sample', [2_500], [1], 0],
    ['the samples are of an hour ago', [2_500, 2_600], [1, 1], 3_600],
  ])('is the default when %s', async (_, native, reference, age) => {
    if (native.length > 0) await insertSeries(wrappedNative, native, step - age)
    if (reference.length > 0) await insertSeries(usd, reference, step - age)
    expect((await askSlippage(`--${usd}`)).body).toEqual({ slippageBps: 50, basis: 'unknown' })
  })

  test('has the bounds and the default of the settings', async () => {
    const env = { ...settings, SLIPPAGE_MIN_BPS: '20', SLIPPAGE_MAX_BPS: '300', SLIPPAGE_DEFAULT_BPS: '100' }
    const stable = `${usd}-${usd}`
    expect((await askSlippage(stable, env)).body).toEqual({ slippageBps: 100, basis: 'unknown' })
    await insertSeries(usd, [1, 1])
    expect((await askSlippage(stable, env)).body).toEqual({ slippageBps: 20, basis: 'pair' })
    await insertSeries(wrappedNative, [1_000, 2_000])
    expect((await askSlippage(`--${usd}`, env)).body).toEqual({ slippageBps: 300, basis: 'pair' })
  })

  const weth = 10n ** 18n
  /** a quote of 1 WETH for 2,500 dollars; settling it takes 200 000 gas */
  const insertPairQuote = () =>
    insertQuote(
      store.database,
      newQuote({
        ...{ sellAmount: weth, buyAmount: 2_500_000_000n, expiresAt: new Date(0) },
        ...{ gasAmount: 200_000n, gasPrice: 1n, sellTokenPrice: 1, feeAmount: 200_000n },
      }),
    )
  /** base fees that rise by a tenth once, and a gas price of 2 gwei */
  const interfereWithFees = () =>
    node.interfere(({ method }, forward) => {
      if (method === 'eth_gasPrice') return '0x77359400'
      if (method !== 'eth_feeHistory') return forward()
      return { oldestBlock: '0x1', baseFeePerGas: Array.from({ length: 101 }, (_, i) => (i < 50 ? '0x3e8' : '0x44c')) }
    })

  test('with an amount adds room for the fee that the newest quote of the pair would have now', async () => {
    await insertPairQuote()
    interfereWithFees()
    // fee: 200 000 · 2 gwei = 0.0004 WETH, 30 % of it: 0.00012 WETH of 0.0996 WETH are 12.05 bps
    const { body, headers, status } = await askSlippage(`--${usd}`, undefined, '?sellAmount=100000000000000000')
    expect({ status, body }).toEqual({
      status: 200,
      body: { slippageBps: 63, basis: 'unknown', priceBps: 50, feeBps: 13, feeAmount: '400000000000000' },
    })
    expect(headers.get('Cache-Control')).toBe('public, max-age=120')
    // 250 dollars are 0.1 WETH
    const bought = await askSlippage(`${wrappedNative}-${usd}`, undefined, '?buyAmount=250000000')
    expect(bought.body).toMatchObject({ slippageBps: 62, feeBps: 12 })
    // the quote of the client counts before ours: 0.003 of 0.1 WETH
    const query = '?sellAmount=100000000000000000&feeAmount=3000000000000000'
    const quoted = await askSlippage(`${wrappedNative}-${usd}`, undefined, query)
    expect(quoted.body).toMatchObject({ slippageBps: 143, feeAmount: '3000000000000000' })
  })

  test('with an amount has the room that the history of prices needs', async () => {
    await insertPairQuote()
    interfereWithFees()
    const steps = Array.from({ length: 12 }, (_, i) => i)
    await insertSeries(usd, Array(12).fill(1))
    await insertSeries(
      wrappedNative,
      steps.map((i) => 2_500 * (1 + (i % 2) * 0.00195)),
    )
    const query = '?sellAmount=100000000000000000'
    expect((await askSlippage(`--${usd}`, undefined, query)).body).toMatchObject({
      priceBps: 20,
      basis: 'pair',
      slippageBps: 33,
    })
  })

  test('with an amount that does not cover the fee is half at most', async () => {
    await insertPairQuote()
    interfereWithFees()
    const { body } = await askSlippage(`--${usd}`, undefined, '?sellAmount=400000000000000')
    expect(body).toMatchObject({ slippageBps: 5_000, feeAmount: '400000000000000' })
  })

  test('with an amount of a pair without any fee has no room for one', async () => {
    interfereWithFees()
    const { body } = await askSlippage(`${other}-${usd}`, undefined, '?sellAmount=1000')
    expect(body).toEqual({ slippageBps: 50, basis: 'unknown', priceBps: 50, feeBps: null, feeAmount: null })
    const bought = await askSlippage(`${other}-${usd}`, undefined, '?buyAmount=1000&feeAmount=5')
    expect(bought.body).toMatchObject({ slippageBps: 50, feeBps: null, feeAmount: '5' })
  })

  test('with an amount has the default room for the fee when the node has no history', async () => {
    await insertPairQuote()
    node.interfere(({ method }, forward) => {
      if (method === 'eth_gasPrice') return '0x77359400'
      if (method !== 'eth_feeHistory') return forward()
      throw new NodeRefusal({ error: { code: -32_601, message: 'no such method' } })
    })
    // 0.0002 of 0.0996 WETH
    const { body } = await askSlippage(`--${usd}`, undefined, '?sellAmount=100000000000000000')
    expect(body).toMatchObject({ slippageBps: 71, feeBps: 21 })
  })

  test('with an amount is 503 while the node has no gas price', async () => {
    await insertPairQuote()
    node.interfere(() => {
      throw new NodeRefusal({ error: { code: -32_000, message: 'secret' } })
    })
    expect(await askSlippage(`--${usd}`, undefined, '?sellAmount=100000000000000000')).toMatchObject({
      status: 503,
      body: { data: { dependency: 'chain', retryable: true } },
    })
  })

  test.each([
    ['?sellAmount=0', 'sellAmount'],
    ['?sellAmount=1.5', 'sellAmount'],
    ['?buyAmount=-1', 'buyAmount'],
    ['?sellAmount=1&feeAmount=x', 'feeAmount'],
    [`?sellAmount=${2n ** 256n}`, 'sellAmount'],
  ])('refuses %s', async (query, field) => {
    expect(await askSlippage(`--${usd}`, undefined, query)).toMatchObject({ status: 400, body: { data: { field } } })
  })

  test('ignores samples older than a day', async () => {
    await insertSeries(usd, [1, 1, 1])
    await insertSeries(wrappedNative, [1, 2_500, 2_500])
    await store.database.insert(priceSamples).values({
      chainId,
      token: usd,
      price: 5,
      sampledAt: new Date((step - 86_400 - sampleStepSeconds) * 1_000),
    })
    const { body } = await ask(`/sepolia/markets/${usd}-${usd}/volatilityDetails`)
    expect(body).toMatchObject({ baseToken: { prices: [{ price: 1 }, { price: 1 }, { price: 1 }] } })
  })
})

describe('volatilityDetails', () => {
  test('and a slippage are finite numbers or unknown for any prices', async () => {
    await insertSeries(other, [1e300, 2e300])
    await insertSeries(usd, [1e-300, 1e-300])
    const { body } = await ask(`/sepolia/markets/${other}-${usd}/volatilityDetails`)
    expect(body).toMatchObject({ baseToken: null, quoteToken: { volatilityInUsd: 0 } })
    expect((await ask(`/sepolia/markets/${other}-${usd}/slippageTolerance`)).body).toEqual({
      slippageBps: 50,
      basis: 'unknown',
    })
  })

  test('returns each token separately, and null for an unknown one', async () => {
    await insertSeries(wrappedNative, [2_475, 2_525])
    const query = '?orderKind=sell&partiallyFillable=maybe'
    const { status, body, headers } = await ask(`/sepolia/markets/--${other}/volatilityDetails${query}`)
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('public, max-age=120')
    expect(body).toEqual({
      baseToken: {
        tokenAddress: wrappedNative,
        prices: [2_475, 2_525].map((price, i) => ({
          date: new Date((step - (1 - i) * sampleStepSeconds) * 1_000).toISOString(),
          price,
          volume: null,
        })),
        usdPrice: 2_525,
        volatilityInUsd: 25,
        volatilityInTokens: 25 / 2_525,
      },
      quoteToken: null,
    })
  })
})

describe('the yield of pools', () => {
  const pool = (id: string, changes: Partial<YieldPool> = {}): YieldPool => ({
    id,
    contractAddress: null,
    project: 'uniswap-v2',
    apr: 10,
    fee: null,
    tvl: 1_000,
    volume: null,
    ...changes,
  })

  beforeEach(() => store.database.delete(yieldPools))

  test('is empty without data', async () => {
    expect(await post('/sepolia/yield/pools', [])).toMatchObject({ status: 200, body: [] })
    const { status, body, headers } = await ask('/sepolia/yield/pools-average-apr')
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(headers.get('Cache-Control')).toBe('public, max-age=3600')
  })

  test('is found by contracts in any case, or for all pools of the network, the largest first', async () => {
    const known = { contractAddress: other, fee: 0.3, volume: 7, tvl: 5 }
    await replaceYieldPools(store.database, chainId, [
      pool('small', known),
      pool('large', { contractAddress: stranger }),
      pool('nameless'),
    ])
    await replaceYieldPools(store.database, 1, [pool('elsewhere', known)])
    const small = {
      contract_address: other,
      chain_id: chainId,
      project: 'uniswap-v2',
      apr: 10,
      fee: 0.3,
      tvl: 5,
      volume: 7,
    }
    const all = await post('/sepolia/yield/pools', [])
    expect(all.body).toEqual([expect.objectContaining({ contract_address: stranger, fee: null, volume: null }), small])
    const named = await post('/sepolia/yield/pools', [`0x${'0D'.repeat(20)}`, usd])
    expect(named.body).toEqual([small])
  })

  test('is averaged per project with six decimals', async () => {
    await replaceYieldPools(store.database, chainId, [
      pool('a', { apr: 1 }),
      pool('b', { apr: 1 }),
      pool('c', { apr: 0 }),
      pool('d', { apr: 3.5, project: 'curve-dex' }),
    ])
    const { body } = await ask('/11155111/yield/pools-average-apr')
    expect(body).toEqual({ 'curve-dex': 3.5, 'uniswap-v2': 0.666667 })
  })

  test('is returned for up to 500 addresses', async () => {
    expect((await post('/sepolia/yield/pools', Array(500).fill(other))).status).toBe(200)
  })
})

describe('simulateBundle', () => {
  const path = '/sepolia/simulation/simulateBundle'
  const abi = parseAbi([
    'function approve(address spender, uint256 amount)',
    'function transfer(address to, uint256 amount)',
    'function transferFrom(address from, address to, uint256 amount)',
    'function deposit()',
    'function withdraw(uint256 amount)',
  ])
  const minter = devAccounts[7].address.toLowerCase() as Address
  const rich = devAccounts[0].address.toLowerCase() as Address
  const simulate = (...transactions: object[]) => post(path, transactions)
  const toUsdc = (from: Address, input: Hex) => ({ from, to: tokens.USDC.address, input })
  const allowanceKey = expect.stringMatching(/^0x[0-9a-f]{64}$/)

  test('approve, then transferFrom: exact changes, each with those before it', async () => {
    const amount = 5_000_000n
    const { status, body, headers } = await simulate(
      toUsdc(minter, encodeFunctionData({ abi, functionName: 'approve', args: [stranger, amount] })),
      toUsdc(stranger, encodeFunctionData({ abi, functionName: 'transferFrom', args: [minter, rich, 3_000_000n] })),
      toUsdc(rich, encodeFunctionData({ abi, functionName: 'transfer', args: [minter, 1_000_000n] })),
    )
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('no-store')
    const usdc = tokens.USDC.address
    const word = (value: bigint) => toHex(value, { size: 32 })
    expect(body).toEqual([
      {
        status: true,
        id: expect.any(String),
        link: null,
        cumulativeBalancesDiff: {},
        stateDiff: [
          {
            address: usdc,
            soltype: null,
            original: null,
            dirty: null,
            raw: [{ address: usdc, key: allowanceKey, original: word(0n), dirty: word(amount) }],
          },
        ],
        gasUsed: expect.stringMatching(/^\d{5}$/),
      },
      expect.objectContaining({
        status: true,
        cumulativeBalancesDiff: { [minter]: { [usdc]: '-3000000' }, [rich]: { [usdc]: '3000000' } },
      }),
      expect.objectContaining({
        status: true,
        cumulativeBalancesDiff: { [minter]: { [usdc]: '-2000000' }, [rich]: { [usdc]: '2000000' } },
      }),
    ])
    const [, , last] = body as { stateDiff: { raw: { original: Hex; dirty: Hex }[] }[] }[]
    const supply = 10n ** 15n
    expect(last?.stateDiff[0]?.raw).toHaveLength(3)
    expect(last?.stateDiff[0]?.raw).toEqual(
      expect.arrayContaining([
        { address: usdc, key: allowanceKey, original: word(0n), dirty: word(2_000_000n) },
        { address: usdc, key: allowanceKey, original: word(supply), dirty: word(supply - 2_000_000n) },
        { address: usdc, key: allowanceKey, original: word(0n), dirty: word(2_000_000n) },
      ]),
    )
  })

  test('native tokens move, are wrapped and unwrapped', async () => {
    const one = parseEther('1')
    const { body } = await simulate(
      { from: rich, to: stranger, input: '0x', value: '7', gas_price: '0' },
      { from: rich, to: wrappedNative, input: encodeFunctionData({ abi, functionName: 'deposit' }), value: `${one}` },
      {
        from: rich,
        to: wrappedNative,
        input: encodeFunctionData({ abi, functionName: 'withdraw', args: [one] }),
        gas: 100_000,
      },
    )
    expect(body).toMatchObject([{ status: true }, { status: true }, { status: true }])
    const [sent, wrapped, unwrapped] = (body as { cumulativeBalancesDiff: object }[]).map(
      (item) => item.cumulativeBalancesDiff,
    )
    const gift = { [stranger]: { [nativeSentinel]: '7' } }
    expect(sent).toEqual({ ...gift, [rich]: { [nativeSentinel]: '-7' } })
    expect(wrapped).toEqual({
      ...gift,
      [rich]: { [nativeSentinel]: `${-one - 7n}`, [wrappedNative]: `${one}` },
      [wrappedNative]: { [nativeSentinel]: `${one}` },
    })
    expect(unwrapped).toEqual(sent)
  })

  test('a failing transaction is reported and changes nothing', async () => {
    const { status, body } = await simulate(
      toUsdc(stranger, encodeFunctionData({ abi, functionName: 'transfer', args: [rich, 1n] })),
      toUsdc(minter, encodeFunctionData({ abi, functionName: 'transfer', args: [rich, 1n] })),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject([{ status: false, cumulativeBalancesDiff: {}, stateDiff: [] }, { status: true }])
  })

  test.each(hostileNames)('a contract with "%s" affects no other transaction of its bundle', async (name) => {
    const to: Address = `0x${(0xbad0000 + hostileNames.indexOf(name)).toString(16).padStart(40, '0')}`
    await chain.chain.setCode({ address: to, bytecode: hostileCode[name] })
    const input = encodeFunctionData({ abi, functionName: 'transfer', args: [rich, 1n] })
    const hostile = { from: stranger, to, input: '0x12345678', gas: 1_000_000 }
    const { status, body } = await simulate(toUsdc(minter, input), hostile, toUsdc(minter, input))
    expect(status).toBe(200)
    expect(body).toMatchObject([{ status: true }, { status: expect.any(Boolean) }, { status: true }])
  })

  test('a slot that has its first value again is not a change', async () => {
    // stores the first word of its input in slot 0
    const box: Address = `0x${'b0'.repeat(20)}`
    await installContract(chain.chain, box, { code: '0x5f355f55', storage: { '0x0': toHex(1, { size: 32 }) } })
    const put = (value: number) => ({ from: rich, to: box, input: toHex(value, { size: 32 }) })
    const { body } = await simulate(put(0), put(2), put(1))
    const values = (body as { stateDiff: { raw: { original: Hex; dirty: Hex }[] }[] }[]).map(({ stateDiff }) =>
      stateDiff.flatMap(({ raw }) => raw.map(({ original, dirty }) => [Number(original), Number(dirty)])),
    )
    expect(values).toEqual([[[1, 0]], [[1, 2]], []])
  })

  test('the same transactions on the same block have the same ids, others have not', async () => {
    const transaction = { from: rich, to: stranger, input: '0x', value: '1' }
    const read = async (...given: object[]) => ((await simulate(...given)).body as { id: string }[]).map(({ id }) => id)
    const first = await read(transaction, transaction)
    expect(await read(transaction, transaction)).toEqual(first)
    const changed = await read(transaction, { ...transaction, value: '2' })
    expect(new Set([...first, ...changed]).size).toBe(3)
  })

  test('a rejection by the node is 400', async () => {
    const { status, body } = await simulate({ from: stranger, to: rich, input: '0x', value: '1' })
    expect({ status, body }).toEqual({
      status: 400,
      body: { message: 'Build simulation error', data: { code: expect.any(Number) } },
    })
    const costly = await simulate({ from: rich, to: wrappedNative, input: `0x${'11'.repeat(100)}`, gas: 21_000 })
    expect(costly.status).toBe(400)
  })

  test('insufficient value or gas is never reported as an outage', async () => {
    const burner: Address = `0x${'b1'.repeat(20)}`
    await installContract(chain.chain, burner, { code: '0x5b5f56' })
    const burn = { from: rich, to: burner, input: '0x' }
    expect((await simulate({ ...burn, value: `${2n ** 256n - 1n}` })).status).toBe(400)
    const { status, body } = await simulate({ ...burn, gas: 10_000_000 }, burn, burn)
    expect(status).toBe(200)
    expect(body).toMatchObject(['10000000', '25000000', '25000000'].map((gasUsed) => ({ status: false, gasUsed })))
  })

  describe('a change is repeated for every later transaction, so', () => {
    const gas = 50_000_000
    /** Each call after the first one changes nothing. */
    const often = (to: Address, count: number) => {
      const call = { from: rich, to }
      const rest = Array(19).fill({ ...call, input: toHex(0, { size: 32 }) })
      return simulate({ ...call, input: toHex(count, { size: 32 }), gas }, ...rest)
    }

    test('storage changes that would fill the memory are omitted', async () => {
      // stores 1 in as many slots as the first word of its input
      const hoarder: Address = `0x${'b2'.repeat(20)}`
      await installContract(chain.chain, hoarder, { code: '0x5f355b801560135760018155600190036002565b00' })
      const few = (await often(hoarder, 1_000)).body as { stateDiff: { raw: unknown[] }[] }[]
      expect(few.map(({ stateDiff }) => stateDiff[0]?.raw.length)).toEqual(Array(20).fill(1_000))
      const { status, body } = await often(hoarder, 2_000)
      expect(status).toBe(200)
      expect(body).toMatchObject(Array(20).fill({ status: true, stateDiffMissing: 'tooMuch' }))
      expect(JSON.stringify(body)).not.toContain('"stateDiff"')
    })

    test('balance changes that would fill the memory are rejected', async () => {
      // as many events of a burn by another account as the first word of its input
      const transfer = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
      const code: Hex = `0x60015f525f355b8015603a575f817f${transfer}60205fa3600190036006565b00`
      const crier: Address = `0x${'b3'.repeat(20)}`
      await installContract(chain.chain, crier, { code })
      expect(await often(crier, 1_000)).toMatchObject({ status: 200 })
      const { status, body } = await often(crier, 2_000)
      expect({ status, body }).toEqual({
        status: 400,
        body: { message: 'the transactions change more balances than a response can contain', data: { max: 30_000 } },
      })
    })
  })

  test('a node without eth_simulateV1 is 503 with the name of the method', async () => {
    node.interfere(({ method }, forward) => {
      if (method === 'eth_simulateV1') throw new NodeRefusal({ error: { code: -32_601, message: 'secret' } })
      return forward()
    })
    const { status, body } = await simulate({ from: rich, to: stranger, input: '0x' })
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        message: 'the node of this network does not support eth_simulateV1',
        data: { method: 'eth_simulateV1', retryable: false },
      },
    })
  })

  test.each<[string, number, string]>([
    ['that does not trace', -32_601, 'nodeCannotTrace'],
    ['that fails to trace', -32_000, 'nodeUnavailable'],
  ])('a node %s simulates without state', async (_, code, stateDiffMissing) => {
    node.interfere(({ method }, forward) => {
      if (method === 'debug_traceCall') throw new NodeRefusal({ error: { code, message: 'secret' } })
      return forward()
    })
    const { status, body } = await simulate({ from: rich, to: stranger, input: '0x', value: '1' })
    expect(status).toBe(200)
    expect(body).toMatchObject([{ status: true, stateDiffMissing, cumulativeBalancesDiff: { [stranger]: {} } }])
    expect(JSON.stringify(body)).not.toContain('"stateDiff"')
  })

  test.each<[string, RequestListener]>([
    ...failures.filter(([name]) => name !== 'endless'),
    ['endless', (_request, response) => void response.writeHead(200).write('{"a":"'.padEnd(5_000_000, 'x'))],
    ['429', respondWith({}, 429)],
    ['an error', respondWith({ error: { code: -32_000, message: 'header not found' } })],
  ])('a node that responds with %s is an outage', async (_, listener) => {
    const provider = await startProvider()
    provider.answer(listener)
    const env = { ...settings, RPC_URLS: JSON.stringify({ sepolia: provider.url }) }
    const { status, body } = await post(path, [{ from: rich, to: stranger, input: '0x' }], env)
    await provider.stop()
    expect(status).toBe(503)
    expect(body).toMatchObject({ data: { dependency: 'chain', retryable: true } })
  })

  test('a node that never finishes is abandoned after five seconds', async () => {
    const provider = await startProvider()
    provider.answer(() => undefined)
    const env = { ...settings, RPC_URLS: JSON.stringify({ sepolia: provider.url }) }
    const { status, body } = await post(path, [{ from: rich, to: stranger, input: '0x' }], env)
    await provider.stop()
    expect(status).toBe(503)
    expect(body).toMatchObject({ message: 'the simulation exceeded its time limit', data: { timeoutMs: 5_000 } })
  }, 15_000)

  test('balances and storage are of one block', async () => {
    await simulate({ from: rich, to: stranger, input: '0x' })
    const asked = node.calls.filter(({ method }) => method !== 'eth_blockNumber')
    expect(asked.map(({ method }) => method)).toEqual(['eth_simulateV1', 'debug_traceCall'])
    expect(new Set(asked.map(({ params }) => params[1])).size).toBe(1)
  })

  const good = { from: rich, to: stranger, input: '0x' }
  test.each<[string, unknown, string]>([
    ['no transaction', [], 'body'],
    ['21 transactions', Array(21).fill(good), 'body'],
    ['no array', good, 'body'],
    ['no sender', [{ ...good, from: undefined }], '0.from'],
    ['a receiver of 19 bytes', [{ ...good, to: `0x${'11'.repeat(19)}` }], '0.to'],
    ['half a byte', [{ ...good, input: '0x1' }], '0.input'],
    ['endless input', [{ ...good, input: `0x${'11'.repeat(49_153)}` }], '0.input'],
    ['value with a sign', [{ ...good, value: '-1' }], '0.value'],
    ['value above 256 bits', [{ ...good, value: `${2n ** 256n}` }], '0.value'],
    ['too little gas', [{ ...good, gas: 20_999 }], '0.gas'],
    ['too much gas', [{ ...good, gas: 60_000_001 }], '0.gas'],
    ['too much gas together', [{ ...good, gas: 59_980_000 }, good], 'body'],
    ['gas of an endless number', [{ ...good, gas: 1e300 }], '0.gas'],
  ])('%s is 400 without an upstream request', async (_, body, field) => {
    const answer = await post(path, body)
    expect(answer).toMatchObject({ status: 400, body: { data: { field } } })
    expect(node.calls).toEqual([])
  })

  test('a long body is 413', async () => {
    const many = Array(6).fill({ ...good, input: `0x${'11'.repeat(24_000)}` })
    expect((await post(path, many)).status).toBe(413)
  })
})

test.each<[string, () => ReturnType<typeof ask>, number, string]>([
  ['a pair of one token', () => ask(`/sepolia/markets/${usd}/slippageTolerance`), 400, 'two addresses'],
  ['a pair of three', () => ask(`/sepolia/markets/${usd}-${usd}-${usd}/slippageTolerance`), 400, 'two addresses'],
  ['a short address', () => ask(`/sepolia/markets/0x12-${usd}/volatilityDetails`), 400, 'two addresses'],
  ['501 pools', () => post('/sepolia/yield/pools', Array(501).fill(other)), 400, '500'],
  ['pools that are none', () => post('/sepolia/yield/pools', { addresses: [] }), 400, 'body'],
  ['an unknown network', () => ask(`/atlantis/markets/--${usd}/slippageTolerance`), 404, 'no such route or resource'],
  ['a network that is not served', () => ask('/1/yield/pools-average-apr'), 404, 'not served here'],
  ['pools of one', () => post('/1/yield/pools', []), 404, 'not served here'],
  ['a market of one', () => ask(`/1/markets/--${usd}/slippageTolerance`), 404, 'not served here'],
  [
    'a bundle of one',
    () => post('/1/simulation/simulateBundle', [{ from: other, to: other, input: '0x' }]),
    404,
    'not',
  ],
  ['a read of a bundle', () => ask('/sepolia/simulation/simulateBundle'), 405, 'method'],
])('%s', async (_, request, status, message) => {
  const answer = await request()
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } })
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
})

test('an unavailable database is 503, never an unknown pair', async () => {
  const env = { ...settings, DATABASE_URL: 'postgres://user:password@127.0.0.1:9/none' }
  const { status, body } = await ask(`/sepolia/markets/--${usd}/slippageTolerance`, undefined, env)
  expect(status).toBe(503)
  expect(body).toMatchObject({ data: { dependency: 'database', retryable: true } })
})

test('readiness starts the objects, and so does the watchdog', async () => {
  armed.length = 0
  expect((await ask('/readyz')).body).toEqual({
    status: 'ok',
    dependencies: { 'rpc-sepolia': 'ok', database: 'ok', objects: 'ok' },
  })
  expect(armed).toEqual([['prices', 'sepolia', 'sepolia']])
  await markets.scheduled(undefined, { ...settings, YIELDS_ENABLED: 'true' })
  expect(armed.slice(1)).toEqual([
    ['prices', 'sepolia', 'sepolia'],
    ['yields', 'yields'],
  ])
})

test('a malformed setting is named', async () => {
  const { status, body } = await ask('/readyz', undefined, { ...settings, SLIPPAGE_MIN_BPS: '3000' })
  expect(status).toBe(503)
  expect(JSON.stringify(body)).toContain('SLIPPAGE_MAX_BPS')
})
