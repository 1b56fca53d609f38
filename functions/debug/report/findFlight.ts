import type { JsonObject } from '#shared/jsonObject.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { Facts } from './diagnosisFacts.ts'
import { findOwnAttempts } from './findOwnAttempts.ts'
import { type Cause, toSettlementFailure } from './toSettlementFailure.ts'

/** A winner is settling the order, or failed to. */
export const findFlight = (order: StoredOrder, facts: Facts, since: Date): Cause => {
  const attempt = findOwnAttempts(facts).at(-1)
  if (attempt && attempt.outcome !== null && attempt.outcome !== 'success') return toSettlementFailure(facts, since)
  const { auctionId, solver, deadlineBlock } = attempt ?? {}
  return {
    code: 'executing',
    since,
    data: attempt
      ? { auctionId: auctionId ?? null, solver: solver ?? null, deadlineBlock: deadlineBlock ?? null }
      : toExecuted(order),
  }
}

/** Executed amounts of an order as data of its diagnosis. */
export const toExecuted = ({ executedSellAmount, executedBuyAmount }: StoredOrder): JsonObject => ({
  executedSellAmount: executedSellAmount.toString(),
  executedBuyAmount: executedBuyAmount.toString(),
})
