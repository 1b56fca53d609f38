import type { ApiFailure } from '../../api/ApiFailure.ts'
import { formatAmount } from '../../ui/formatAmount.ts'
import type { TradablePair } from '../draft/tradableToken.ts'

/** The least size that a refused quote names; undefined where it names none. */
export const describeMinimum = (
  failure: Pick<ApiFailure, 'facts'> | null,
  pair: TradablePair | null | undefined,
): string | undefined => {
  const minimum = failure?.facts.data.minSellAmount
  if (!pair || typeof minimum !== 'string' || !/^\d{1,78}$/.test(minimum)) return undefined
  const { sell } = pair
  return `Sell at least ${formatAmount(BigInt(minimum), sell.decimals)} ${sell.symbol ?? 'tokens'}.`
}
