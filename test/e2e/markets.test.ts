import { eq, lt, sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { type RunningProvider, respondWith, startProvider } from '../helpers/http/startProvider.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

const poolAddress: Address = `0x${'ab'.repeat(20)}`

let stack: Stack
let yields: RunningProvider

beforeAll(async () => {
  yields = await startProvider()
  yields.answer(
    respondWith({
      status: 'success',
      data: [{ chain: 'Ethereum', project: 'uniswap-v3', pool: 'a', pool_old: poolAddress, tvlUsd: 5, apyBase: 1.5 }],
    }),
  )
  stack = await startTestStack({
    vars: {
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
  await yields?.stop()
})

const token = (symbol: string) => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}

const ask = async (path: string, body?: unknown) => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(stack.info.baseUrl + path, body === undefined ? {} : init)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const waitForSamples = (address: Address, count: number) =>
  waitUntil(
    `${count} samples of ${address}`,
    async () =>
      (await connectDatabase(stack.info.databaseUrl).$count(priceSamples, eq(priceSamples.token, address))) >= count,
    { timeoutMs: 60_000 },
  )

test('prices of traded tokens are sampled, and a slippage is computed from them', async () => {
  const trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  const [weth, usdc, dai] = ['WETH', 'USDC', 'DAI'].map(token)
  if (!weth || !usdc || !dai) throw new Error('no tokens')
  const market = `/sepolia/markets/${dai.address}-${usdc.address}`
  expect((await ask(`${market}/slippageTolerance`)).body).toEqual({ slippageBps: 50, basis: 'unknown' })

  await trader.approveRelayer(weth.address)
  const swap = { kind: 'sell', sellToken: weth, buyToken: dai, amount: parseUnits('0.1', 18) } as const
  await waitForStatus(trader, await postSwap(trader, swap), 'fulfilled')
  for (const { address } of [weth, usdc, dai]) await waitForSamples(address, 1)

  // what was sampled becomes five minutes older, and the native token was worth two percent more then
  const database = connectDatabase(stack.info.databaseUrl)
  const rise = sql`case when ${priceSamples.token} = ${`\\x${weth.address.slice(2)}`}::bytea then 1.02 else 1 end`
  const newest = sql`(select max(sampled_at) from price_samples)`
  await database.delete(priceSamples).where(lt(priceSamples.sampledAt, newest))
  await database.update(priceSamples).set({
    sampledAt: sql`${priceSamples.sampledAt} - interval '5 minutes'`,
    price: sql`${priceSamples.price} * ${rise}`,
  })
  for (const { address } of [weth, usdc, dai]) await waitForSamples(address, 2)

  const native = await ask(`/11155111/markets/--${usdc.address}/slippageTolerance`)
  expect(native).toMatchObject({ status: 200, body: { basis: 'pair' } })
  const { slippageBps } = native.body as { slippageBps: number }
  // two samples two percent apart: a standard deviation of one percent, and what the trade moved
  expect(slippageBps).toBeGreaterThanOrEqual(90)
  expect(slippageBps).toBeLessThanOrEqual(110)
  expect((await ask(`${market}/slippageTolerance`)).body).toMatchObject({ basis: 'pair' })

  const { body } = await ask(`/sepolia/markets/${nativeSentinel}-${dai.address}/volatilityDetails`)
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
    const dai = token('DAI').address.toLowerCase() as Address
    const amount = parseEther('5') + 1n
    const call = (from: Address, data: Hex) => ({
      from,
      to: dai,
      input: data,
      value: '0',
      gas: 200_000,
      gas_price: '0',
    })
    const { status, body } = await ask('/sepolia/simulation/simulateBundle', [
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
    const { status, body } = await ask('/1/simulation/simulateBundle', [good])
    expect({ status, body }).toMatchObject({ status: 404, body: { message: expect.stringContaining('not served') } })
    expect((await ask('/sepolia/simulation/simulateBundle', [good])).status).toBe(200)
    const poor = await ask('/sepolia/simulation/simulateBundle', [{ ...good, from: `0x${'5a'.repeat(20)}` }])
    expect(poor).toMatchObject({ status: 400, body: { message: 'Build simulation error' } })
    expect(await stack.chain.getBalance({ address: nativeSentinel })).toBe(before)
  })
})

test('yield: requested from the provider, empty on a network without data', async () => {
  expect(await ask('/sepolia/yield/pools', [])).toMatchObject({ status: 200, body: [] })
  expect(await ask('/sepolia/yield/pools', [poolAddress])).toMatchObject({ status: 200, body: [] })
  const averages = await ask('/sepolia/yield/pools-average-apr')
  expect(averages).toMatchObject({ status: 200, body: {} })
  expect(averages.headers.get('Cache-Control')).toBe('public, max-age=3600')
  await waitUntil('a question to the provider', async () => yields.asked.includes('/pools'), { timeoutMs: 30_000 })
})

test('invalid input is rejected with a message', async () => {
  const usdc = token('USDC').address
  const long = `0x${'11'.repeat(40_000)}`
  const good = { from: usdc, to: usdc, input: '0x' }
  const cases: [string, unknown, number, string][] = [
    [`/sepolia/markets/${usdc}/slippageTolerance`, undefined, 400, 'two addresses'],
    [`/sepolia/markets/${usdc}-0x12/volatilityDetails`, undefined, 400, 'two addresses'],
    [`/atlantis/markets/${usdc}-${usdc}/slippageTolerance`, undefined, 404, 'no such route or resource'],
    ['/sepolia/yield/pools', ['0x12'], 400, '0: an address'],
    ['/sepolia/yield/pools', Array(501).fill(usdc), 400, '500'],
    ['/sepolia/simulation/simulateBundle', [], 400, 'body'],
    ['/sepolia/simulation/simulateBundle', Array(21).fill(good), 400, '20'],
    ['/sepolia/simulation/simulateBundle', [{ ...good, from: 'me' }], 400, '0.from'],
    ['/sepolia/simulation/simulateBundle', Array(4).fill({ ...good, input: long }), 413, 'too large'],
  ]
  for (const [path, body, status, message] of cases) {
    const answer = await ask(path, body)
    expect(answer, path).toMatchObject({ status, body: { message: expect.stringContaining(message) } })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  }
})
