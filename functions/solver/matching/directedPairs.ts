import type { Address } from 'viem'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Batch } from '../batches/batch.ts'
import { wrapToken } from '../batches/wrapToken.ts'

/** Name of a directed pair; the native token is the wrapped one. */
export type ToDirection = (pair: Pick<AuctionOrder, 'sellToken' | 'buyToken'>) => string

export const createToDirection = (wrappedNative: Address): ToDirection => {
  const wrap = (token: Address) => wrapToken(token, wrappedNative)
  return ({ sellToken, buyToken }) => `${wrap(sellToken)}${wrap(buyToken).slice(2)}`
}

/** @param batches best first */
export const findBestBatches = (batches: readonly Batch[], toDirection: ToDirection): Map<string, Batch> => {
  const best = new Map<string, Batch>()
  for (const batch of batches.toReversed()) best.set(toDirection(batch), batch)
  return best
}

/**
 * Whether every directed pair of a batch scores at least as much as in its batch alone: the auction rejects others as
 * unfair.
 */
export const isFair = (
  { fills }: Batch,
  best: ReadonlyMap<string, Pick<Batch, 'score'>>,
  toDirection: ToDirection,
): boolean => {
  const scores = new Map<string, bigint>()
  for (const { order, score } of fills) {
    const direction = toDirection(order)
    scores.set(direction, (scores.get(direction) ?? 0n) + score)
  }
  return [...scores].every(([direction, score]) => score >= (best.get(direction)?.score ?? 0n))
}
