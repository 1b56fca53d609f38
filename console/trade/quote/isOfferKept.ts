import { computeImprovement } from './computeImprovement.ts'
import { isFresh } from './isFresh.ts'
import { type Quote, toExpected } from './quote.ts'

type Received = {
  quote: Pick<Quote, 'amounts'>
  /** Unix milliseconds */
  receivedAt: number
}

/**
 * Whether the offer that is shown stays while solvers are still being asked: a round begins with what comes first, which may be
 * worse than an offer of the round before that may still be taken.
 */
export const isOfferKept = (kind: 'sell' | 'buy', before: Received | null, next: Received): boolean =>
  before !== null &&
  isFresh(before, next.receivedAt) &&
  computeImprovement(kind, toExpected(before.quote), toExpected(next.quote)).atoms < 0n
