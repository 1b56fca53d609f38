import { computeImprovement } from './computeImprovement.ts'
import { isFresh } from './isFresh.ts'
import { type Quote, toExpected } from './quote.ts'

type Received = {
  quote: Pick<Quote, 'amounts'>
  /** Unix milliseconds */
  receivedAt: number
}

/**
 * Returns true while the displayed offer stays during a new round: the first offer of a round may be worse than a still
 * valid one of the previous round.
 */
export const isOfferRetained = (kind: 'sell' | 'buy', before: Received | null, next: Received): boolean =>
  before !== null &&
  isFresh(before, next.receivedAt) &&
  computeImprovement(kind, toExpected(before.quote), toExpected(next.quote)).atoms < 0n
