import type { components } from '../../api/openapi.d.ts'
import { describeEvaluation } from '../../order/strategies/describeConditional.ts'
import type { NewTwap } from './buildTwap.ts'

type Outcome = components['schemas']['ConditionalDryRun']['outcome']

/**
 * Compares the part that the order book would place with the displayed terms.
 * @returns why the TWAP must not be created; null when it may be
 */
export const checkDryRun = ({ twap }: NewTwap, outcome: Outcome): string | null => {
  const { part } = outcome
  if (outcome.reason !== 'partPlaced' || !part)
    return `Nothing was signed: the dry run placed no part. ${describeEvaluation({ ...outcome, orderUid: null, slowed: false })}`
  const expected = {
    sellToken: twap.sellToken,
    buyToken: twap.buyToken,
    receiver: twap.receiver,
    sellAmount: twap.partSellAmount.toString(),
    buyAmount: twap.minPartLimit.toString(),
    appData: twap.appData,
    feeAmount: '0',
    kind: 'sell',
  }
  const differing = Object.entries(expected).filter(([field, value]) => part[field as keyof typeof expected] !== value)
  if (differing.length === 0) return null
  const fields = differing.map(([field]) => field).join(', ')
  return `Nothing was signed: the part of the dry run differs from the displayed terms (${fields}).`
}
