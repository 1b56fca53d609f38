import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeSentinel } from '#shared/networks.ts'
import type { DriverQuoteQuery } from '#shared/solvers/driverApi.ts'
import { type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { buildSolvingDeps } from '#test/helpers/solvers/solvingDeps.ts'
import { createBlockMemory } from '../pools/createBlockMemory.ts'
import { createQuoteMarket } from '../pools/createQuoteMarket.ts'
import { findQuote, type RoutingDeps } from './findQuote.ts'

let market: SolverMarket

beforeAll(async () => {
  market = await startSolverMarket()
})

afterAll(() => market?.stop())

const routing = (strategy: RoutingDeps['strategy'], tolerance = 0n) => buildSolvingDeps(market, { strategy, tolerance })

describe('findQuote', () => {
  const quote = (query: Partial<DriverQuoteQuery>, strategy: RoutingDeps['strategy'] = 'multihop', tolerance = 0n) => {
    const { WETH, USDC } = market.tokens
    const defaults = { sellToken: WETH, buyToken: USDC, kind: 'sell' as const, amount: parseEther('1'), deadline: '' }
    return findQuote(
      market.connect(),
      createQuoteMarket(createBlockMemory()),
      routing(strategy, tolerance),
      { ...defaults, ...query },
      5_000,
    )
  }

  test('costs one call while the pools of the block are known', async () => {
    const { WETH, USDC } = market.tokens
    const findMarket = createQuoteMarket(createBlockMemory())
    const client = market.connect()
    const methods: string[] = []
    const counting = { ...client }
    const count = async (amount: bigint) => {
      methods.length = 0
      const query = { sellToken: WETH, buyToken: USDC, kind: 'sell' as const, amount, deadline: '' }
      return findQuote(counting, findMarket, routing('multihop'), query, 5_000)
    }
    for (const action of ['getBlock', 'getGasPrice', 'multicall'] as const) {
      const original = client[action] as (...args: unknown[]) => unknown
      Object.assign(counting, {
        [action]: (...args: unknown[]) => {
          methods.push(action)
          return original(...args)
        },
      })
    }
    const first = await count(parseEther('1'))
    expect(methods.length).toBeGreaterThan(4)
    const second = await count(parseEther('1'))
    expect(methods).toEqual(['getBlock'])
    expect(second).toEqual(first)
    await market.chain.mine({ blocks: 1 })
    await count(parseEther('1'))
    expect(methods.length).toBeGreaterThan(4)
  })

  test('lets four quotes at once read pools, which serve all others', async () => {
    const { WETH, USDC } = market.tokens
    const findMarket = createQuoteMarket(createBlockMemory())
    const client = market.connect()
    let [reading, most] = [0, 0]
    const multicall: typeof client.multicall = async (...args) => {
      reading += 1
      most = Math.max(most, reading)
      const results = await client.multicall(...args)
      reading -= 1
      return results as never
    }
    const query = { sellToken: WETH, buyToken: USDC, kind: 'sell' as const, amount: parseEther('1'), deadline: '' }
    const quotes = await Promise.all(
      Array.from({ length: 40 }, () =>
        findQuote({ ...client, multicall }, findMarket, routing('multihop'), query, 10_000),
      ),
    )
    expect(new Set(quotes.map(({ clearingPrices }) => clearingPrices[WETH])).size).toBe(1)
    // a quote reads both kinds of pools at once, and two facts of concentrated ones
    expect(most).toBeLessThanOrEqual(4 * 3)
  })

  test('prices are the amounts, so that the bought amount follows from the sold one', async () => {
    const { WETH, USDC } = market.tokens
    const { clearingPrices, gas } = await quote({})
    expect(clearingPrices[USDC]).toBe(parseEther('1'))
    // 30,000,000 USDC and 10,000 WETH: 3,000 less 0.3 % and 0.01 % of impact
    expect(clearingPrices[WETH]).toBe(
      (997n * parseEther('1') * 30_000_000_000_000n) / (10_000n * 10n ** 21n + 997n * 10n ** 18n),
    )
    expect(gas).toBe(178_391)
  })

  test('names what a settlement leaves to the pools: half of the tolerance, rounded up', async () => {
    const { COW, USDC } = market.tokens
    const parts = (query: Partial<DriverQuoteQuery>) =>
      Promise.all([0n, 1_000n].map(async (tolerance) => (await quote(query, 'multihop', tolerance)).tolerancePpm))
    expect(await parts({})).toEqual([0, 501])
    expect(await parts({ kind: 'buy', amount: 3_000_000_000n })).toEqual([0, 501])
    expect(await parts({ sellToken: COW, buyToken: USDC })).toEqual([0, 500])
    // of about three atoms
    expect(await parts({ amount: 10n ** 9n })).toEqual([0, 500_000])
  })

  test('COW and dollars meet over WETH; the direct strategy has no route', async () => {
    const { USDC, COW } = market.tokens
    const trade = { sellToken: COW, buyToken: USDC, kind: 'buy' as const, amount: 1_000_000n }
    const { interactions, clearingPrices } = await quote(trade)
    expect(interactions).toHaveLength(3)
    expect(clearingPrices[COW]).toBe(1_000_000n)
    await expect(quote(trade, 'direct')).rejects.toMatchObject({ kind: 'QuotingFailed' })
  })

  test('COW and DAI meet in a concentrated-liquidity pool, through its router', async () => {
    const { COW, DAI } = market.tokens
    const trade = { sellToken: COW, buyToken: DAI, amount: parseEther('100') }
    const { interactions, clearingPrices, gas } = await quote(trade, 'direct')
    expect(interactions.map(({ target }) => target)).toEqual([COW, market.network.uniswapV3.router])
    // 0.3 DAI for one, less 0.3 %
    expect(clearingPrices[COW]).toBeGreaterThan(parseEther('29.9'))
    expect(clearingPrices[COW]).toBeLessThan(parseEther('29.91'))
    // 72,000 of it sell the fee for WETH: the dollars of this pool are no base token
    expect(gas).toBe(328_391)
  })

  test('the native token is bought wrapped and unwrapped', async () => {
    const { USDC, WETH } = market.tokens
    const wrapped = await quote({ sellToken: USDC, buyToken: WETH, amount: 3_000_000n })
    const native = await quote({ sellToken: USDC, buyToken: nativeSentinel, amount: 3_000_000n })
    expect(native.clearingPrices[nativeSentinel]).toBe(3_000_000n)
    expect(native.clearingPrices[USDC]).toBe(wrapped.clearingPrices[USDC])
    expect(native.interactions).toHaveLength(wrapped.interactions.length + 1)
    expect(native.gas).toBe((wrapped.gas ?? 0) + 9_223)
  })

  test('there is no quote for one token, an unknown one, the native one, or too much', async () => {
    const { WETH } = market.tokens
    await expect(quote({ buyToken: WETH })).rejects.toMatchObject({ kind: 'QuoteSameTokens' })
    await expect(quote({ buyToken: market.trader })).rejects.toMatchObject({ kind: 'QuotingFailed' })
    await expect(quote({ sellToken: nativeSentinel })).rejects.toMatchObject({ kind: 'QuotingFailed' })
    await expect(quote({ kind: 'buy', amount: 10n ** 30n })).rejects.toMatchObject({ kind: 'QuotingFailed' })
    await expect(quote({ amount: 0n })).rejects.toMatchObject({ kind: 'QuotingFailed' })
  })
})
