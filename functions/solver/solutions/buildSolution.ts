import type { Address } from 'viem'
import type { Batch } from '../batches/buildBatch.ts'
import { computeUniformPrices } from './computeUniformPrices.ts'

/** What is proposed to the auction, and settled in one transaction. */
export interface Solution {
  batches: Batch[]
  /** one price per traded token; only the ratio of two matters */
  uniformPrices: Map<Address, bigint>
  /** wei */
  score: bigint
}

/** @returns undefined when no one price per token serves all batches */
export const buildSolution = (batches: Batch[], wrappedNative: Address): Solution | undefined => {
  const uniformPrices = computeUniformPrices(batches, wrappedNative)
  return uniformPrices && { batches, uniformPrices, score: batches.reduce((sum, batch) => sum + batch.score, 0n) }
}
