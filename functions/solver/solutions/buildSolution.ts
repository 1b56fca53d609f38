import type { Address } from 'viem'
import type { Batch } from '../batches/batch.ts'
import { computeUniformPrices } from './computeUniformPrices.ts'

/** A proposed solution, settled in one transaction. */
export interface Solution {
  batches: Batch[]
  /** one price per traded token; only the ratio of two matters */
  uniformPrices: Map<Address, bigint>
  /** wei */
  score: bigint
}

/** @returns undefined when no uniform price per token fits all batches */
export const buildSolution = (batches: Batch[], wrappedNative: Address): Solution | undefined => {
  const uniformPrices = computeUniformPrices(batches, wrappedNative)
  return uniformPrices && { batches, uniformPrices, score: batches.reduce((sum, batch) => sum + batch.score, 0n) }
}
