import { computeSqrtPrice, maxTick } from '../pools/computeSqrtPrice.ts'
import { type ConcentratedPool, wordTicks } from '../pools/pool.ts'
import { computeSwapStep } from './computeSwapStep.ts'

/** Amounts of a swap, atoms, and the pool after it. */
export interface ConcentratedSwap {
  amountIn: bigint
  amountOut: bigint
  pool: ConcentratedPool
}

/**
 * Amount out of a concentrated-liquidity pool for an exact amount in (`sell`), or amount in for an exact amount out
 * (`buy`), fee included. Follows the pool's steps from tick to tick (`UniswapV3Pool.swap`), exact to the atom.
 * @param amount atoms
 * @param zeroForOne whether `token0` is sold
 * @returns undefined when that is 0, or the price leaves the known range of the pool
 */
export const computeConcentratedSwap = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  kind: 'sell' | 'buy',
  amount: bigint,
): ConcentratedSwap | undefined => {
  if (amount <= 0n) return undefined
  const feePpm = BigInt(pool.fee)
  let { sqrtPrice, liquidity, tick } = pool
  let remaining = amount
  let amountIn = 0n
  let amountOut = 0n
  while (remaining > 0n) {
    const next = computeNextTick(pool, tick, zeroForOne)
    if (next < pool.lowestTick || next > pool.highestTick) return undefined
    const target = readSqrtPrice(pool, next)
    const step = computeSwapStep(kind, sqrtPrice, target, liquidity, remaining, feePpm)
    if (!step) return undefined
    amountIn += step.amountIn + step.fee
    amountOut += step.amountOut
    remaining -= kind === 'sell' ? step.amountIn + step.fee : step.amountOut
    sqrtPrice = step.sqrtPrice
    if (sqrtPrice !== target) {
      tick = findTick(pool, sqrtPrice, zeroForOne ? next : tick, zeroForOne ? tick : next)
      break
    }
    const liquidityNet = pool.ticks.get(next) ?? 0n
    liquidity += zeroForOne ? -liquidityNet : liquidityNet
    tick = zeroForOne ? next - 1 : next
  }
  if (amountIn <= 0n || amountOut <= 0n) return undefined
  return { amountIn, amountOut, pool: { ...pool, sqrtPrice, liquidity, tick } }
}

/** The highest multiple of the tick spacing at or below a price, at least `low`; enough for the next swap. */
const findTick = (pool: ConcentratedPool, sqrtPrice: bigint, low: number, high: number): number => {
  const { tickSpacing } = pool
  let [from, to] = [Math.floor(low / tickSpacing), Math.floor(high / tickSpacing)]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if (readSqrtPrice(pool, middle * tickSpacing) <= sqrtPrice) from = middle
    else to = middle - 1
  }
  return Math.max(low, from * tickSpacing)
}

/** searching an amount passes the same ticks many times */
const knownPrices = new WeakMap<ConcentratedPool['ticks'], Map<number, bigint>>()

const readSqrtPrice = (pool: ConcentratedPool, tick: number): bigint => {
  const known = knownPrices.get(pool.ticks) ?? new Map<number, bigint>()
  knownPrices.set(pool.ticks, known)
  const price = known.get(tick) ?? computeSqrtPrice(tick)
  known.set(tick, price)
  return price
}

/** The next initialised tick, or the end of its word: downwards from the tick itself, upwards from the one after it. */
const computeNextTick = ({ ticks, tickSpacing }: ConcentratedPool, tick: number, zeroForOne: boolean): number => {
  const step = zeroForOne ? -1 : 1
  const start = Math.floor(tick / tickSpacing) + (zeroForOne ? 0 : 1)
  const word = Math.floor(start / wordTicks)
  const end = word * wordTicks + (zeroForOne ? 0 : wordTicks - 1)
  let index = start
  while (index !== end && !ticks.has(index * tickSpacing)) index += step
  return Math.max(-maxTick, Math.min(maxTick, index * tickSpacing))
}
