import { maxTick } from '../pools/computeSqrtPrice.ts'
import { type ConcentratedPool, wordTicks } from '../pools/pool.ts'

/** The next initialised tick, or the end of its word: downwards from the tick itself, upwards from the one after it. */
export const computeNextTick = (
  { ticks, tickSpacing }: ConcentratedPool,
  tick: number,
  zeroForOne: boolean,
): number => {
  const step = zeroForOne ? -1 : 1
  const start = Math.floor(tick / tickSpacing) + (zeroForOne ? 0 : 1)
  const word = Math.floor(start / wordTicks)
  const end = word * wordTicks + (zeroForOne ? 0 : wordTicks - 1)
  let index = start
  while (index !== end && !ticks.has(index * tickSpacing)) index += step
  return Math.max(-maxTick, Math.min(maxTick, index * tickSpacing))
}
