import { maxTick } from './computeSqrtPrice.ts'
import { type ConcentratedPool, wordTicks } from './pool.ts'

/** minimum number of ticks read on either side of the price: 28 % */
const readTicks = 2_500

/** maximum number of initialised ticks stored on either side */
const maxTicks = 100

/** A pool whose ticks are not read yet. */
export type PricedPool = Omit<ConcentratedPool, 'ticks' | 'lowestTick' | 'highestTick'>

/** A pool with the indexes of its initialised ticks. */
export type BoundedPool = PricedPool & { indexes: number[]; lowestTick: number; highestTick: number }

/** The words of the tick bitmap around the price of a pool that are read. */
export const listWords = ({ tick, tickSpacing }: PricedPool): number[] => {
  const middle = Math.floor(tick / tickSpacing / wordTicks)
  const reach = Math.ceil(readTicks / (tickSpacing * wordTicks))
  return Array.from({ length: 2 * reach + 1 }, (_, i) => middle - reach + i)
}

/** Limits a pool to its nearest initialised ticks; the pool is unknown beyond them. */
export const boundPool = (pool: PricedPool, indexes: number[]): BoundedPool => {
  const { tick, tickSpacing } = pool
  const words = listWords(pool)
  const ticks = indexes.map((index) => index * tickSpacing).sort((a, b) => a - b)
  const below = ticks.filter((index) => index <= tick).slice(-maxTicks)
  const above = ticks.filter((index) => index > tick).slice(0, maxTicks)
  const first = (words[0] ?? 0) * wordTicks * tickSpacing
  const last = (((words.at(-1) ?? 0) + 1) * wordTicks - 1) * tickSpacing
  return {
    ...pool,
    indexes: [...below, ...above],
    lowestTick: Math.max(-maxTick, below.length === maxTicks ? (below[0] ?? first) : first),
    highestTick: Math.min(maxTick, above.length === maxTicks ? (above.at(-1) ?? last) : last),
  }
}
