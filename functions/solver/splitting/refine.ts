import type { Leg } from '../routing/buildLegs.ts'
import { sharesLeg } from './sharesLeg.ts'
import { computeMarginal } from './tradeStrand.ts'

/** parts of a chunk that still move to a better strand */
const refinedChunks = 64n

/** of one size between two strands */
const maxMoves = 2

/**
 * Moves ever smaller parts from one strand to another while both together improve: a part that was allocated as the
 * best one on average may end at a bad price. Strands that share pools retain their parts.
 * @param chunk size of the allocated parts, atoms
 */
export const refine = (
  strands: readonly Leg[][],
  kind: 'sell' | 'buy',
  allocated: readonly bigint[],
  chunk: bigint,
): bigint[] => {
  const parts = [...allocated]
  const free = [...strands.keys()].filter((i) => !strands.some((other, j) => j !== i && sharesLeg(strands[i], other)))
  const known = strands.map(() => new Map([[0n, 0n]]))
  const computeEnd = (index: number, part: bigint): bigint | undefined => {
    const values = known[index]
    const value = values?.get(part) ?? computeMarginal(strands[index] ?? [], kind, part, new Map()).amount
    values?.set(part, value)
    return value < 0n ? undefined : value
  }
  const isBetter = (from: number, to: number, step: bigint): boolean => {
    const [given = 0n, taken = 0n] = [parts[from], parts[to]]
    if (given < step) return false
    const [oldFrom, oldTo] = [computeEnd(from, given), computeEnd(to, taken)]
    const [newFrom, newTo] = [computeEnd(from, given - step), computeEnd(to, taken + step)]
    if (oldFrom === undefined || oldTo === undefined || newFrom === undefined || newTo === undefined) return false
    return kind === 'sell' ? newFrom + newTo > oldFrom + oldTo : newFrom + newTo < oldFrom + oldTo
  }
  for (let step = chunk / 2n; step > 0n && step * refinedChunks >= chunk; step /= 2n) {
    for (const from of free) {
      for (const to of free) {
        for (let moves = 0; moves < maxMoves && from !== to && isBetter(from, to, step); moves += 1) {
          parts[from] = (parts[from] ?? 0n) - step
          parts[to] = (parts[to] ?? 0n) + step
        }
      }
    }
  }
  return parts
}
