import fc from 'fast-check'
import { type Address, encodeDeployData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { readArtifact } from '#tools/stack/chain/contracts/readArtifact.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { computeSqrtPrice, maxTick } from '../pools/computeSqrtPrice.ts'
import { findConcentratedPools } from '../pools/findConcentratedPools.ts'
import type { ConcentratedPool } from '../pools/pool.ts'
import { computeConcentratedSwap } from './computeConcentratedSwap.ts'

/** Uniswap's own quoter swaps in the pool and reverts; called through Multicall3, many swaps cost one request. */
const quoterAbi = parseAbi([
  'constructor(address factory, address wrappedNative)',
  'struct In { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'struct Out { address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(In params) view returns (uint256 amount, uint160 sqrtPriceX96After, uint32 ticksCrossed, uint256 gas)',
  'function quoteExactOutputSingle(Out params) view returns (uint256 amount, uint160 sqrtPriceX96After, uint32 ticksCrossed, uint256 gas)',
])

let market: SolverMarket
let pools: ConcentratedPool[]
let quoter: Address

beforeAll(async () => {
  market = await startSolverMarket()
  const { WETH, COW, DAI } = market.tokens
  const { factory } = market.network.uniswapV3
  pools = await findConcentratedPools(
    market.connect(),
    factory,
    [
      [COW, DAI],
      [COW, WETH],
    ],
    {},
  )
  const data = encodeDeployData({
    abi: quoterAbi,
    bytecode: readArtifact('@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json').bytecode,
    args: [factory, WETH],
  })
  const hash = await market.chain.sendTransaction({ account: market.solver, data })
  const { contractAddress } = await waitForReceipt(market.chain, hash)
  if (!contractAddress) throw new Error('no quoter')
  quoter = contractAddress
})

afterAll(() => market?.stop())

interface Swap {
  pool: ConcentratedPool
  zeroForOne: boolean
  kind: 'sell' | 'buy'
  amount: bigint
}

/** The quotes of the pools themselves; undefined where they revert. */
const quote = async (swaps: readonly Swap[]): Promise<(bigint | undefined)[]> => {
  const results = await market.connect().multicall({
    contracts: swaps.map(({ pool, zeroForOne, kind, amount }) => {
      const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
      const common = { tokenIn, tokenOut, fee: pool.fee, sqrtPriceLimitX96: 0n }
      return kind === 'sell'
        ? ({
            address: quoter,
            abi: quoterAbi,
            functionName: 'quoteExactInputSingle',
            args: [{ ...common, amountIn: amount }],
          } as const)
        : ({
            address: quoter,
            abi: quoterAbi,
            functionName: 'quoteExactOutputSingle',
            args: [{ ...common, amount }],
          } as const)
    }),
    allowFailure: true,
  })
  return results.map(({ result }) => result?.[0])
}

const compute = ({ pool, zeroForOne, kind, amount }: Swap): bigint | undefined => {
  const swap = computeConcentratedSwap(pool, zeroForOne, kind, amount)
  return kind === 'sell' ? swap?.amountOut : swap?.amountIn
}

/** Atoms of every size, dust as well as more than a pool has. */
const amount = fc.integer({ min: 0, max: 82 }).chain((bits) => fc.bigInt({ min: 1n, max: 2n ** BigInt(bits) }))

describe('a concentrated-liquidity pool', () => {
  test('is read with its exact ticks', () => {
    expect(pools.map(({ fee, ticks }) => [fee, ticks.size])).toEqual([
      [3_000, 4],
      [10_000, 4],
    ])
  })

  test('trades every amount exactly as the pool does', async () => {
    const swap = fc.record({
      pool: fc.constantFrom(...pools),
      zeroForOne: fc.boolean(),
      kind: fc.constantFrom('sell' as const, 'buy' as const),
      amount,
    })
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(swap, { minLength: 50, maxLength: 50 }), async (swaps) => {
        const quotes = await quote(swaps)
        for (const [i, one] of swaps.entries()) {
          const computed = compute(one)
          if (computed === undefined) continue
          expect(computed).toBe(quotes[i])
          compared += 1
        }
      }),
      { numRuns: 20, seed: 7 },
    )
    expect(compared).toBeGreaterThan(500)
  })

  test('is known as far as its liquidity reaches, and no further', async () => {
    const [pool] = pools
    if (!pool) throw new Error('no pool')
    const near: Swap = { pool, zeroForOne: true, kind: 'sell', amount: 10n ** 24n }
    expect(compute(near)).toBe((await quote([near]))[0])
    expect(compute({ ...near, amount: 10n ** 30n })).toBeUndefined()
    expect(compute({ ...near, kind: 'buy', amount: 10n ** 24n })).toBeUndefined()
    expect(compute({ ...near, amount: 0n })).toBeUndefined()
    expect(compute({ ...near, amount: 1n })).toBeUndefined()
  })
})

describe('computeSqrtPrice', () => {
  test('covers the tick range of pools, and is the root of 1.0001 to the tick', () => {
    expect(computeSqrtPrice(-maxTick)).toBe(4295128739n)
    expect(computeSqrtPrice(maxTick)).toBe(1461446703485210103287273052203988822378723970342n)
    expect(computeSqrtPrice(0)).toBe(2n ** 96n)
    for (const tick of [-600_000, -12_041, -1, 1, 92_108, 700_001]) {
      expect(Number(computeSqrtPrice(tick)) / 2 ** 96 / 1.0001 ** (tick / 2)).toBeCloseTo(1, 9)
    }
  })
})
