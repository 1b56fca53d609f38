import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { describeCause } from './describeCause.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { Words } from './evidenceTokens.ts'
import type { Cause } from './toSettlementFailure.ts'

/** Lead of an order that no auction has. */
export const notListed = 'The order is not in the auctions'

/** @param lead sentence about the state; the cause is appended */
export const toDiagnosis = (words: Words, lead: string, { code, since, data, reason = null }: Cause): Diagnosis => {
  const { severity, cause, suggestion } = describeCause(code, data, reason, words)
  return { code, severity, since, message: `${lead} because of ${cause}${toBlock(data)}.`, suggestion, data }
}

/** A contract may decide by the block (`computeVerdict`). */
const toBlock = ({ block }: Cause['data']): string =>
  typeof block === 'number' ? `, in block ${block} and not in the other one of the two that were tried` : ''

/** "12.3 % filled", rounded down; undefined when nothing is filled. */
export const toFilledShare = (order: StoredOrder): string | undefined => {
  const [executed, exact] =
    order.kind === 'sell'
      ? [order.executedSellAmount - order.executedFeeAmount, order.sellAmount]
      : [order.executedBuyAmount, order.buyAmount]
  return executed > 0n ? `${Number((executed * 1_000n) / exact) / 10} % filled` : undefined
}
