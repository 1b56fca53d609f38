import { localize } from '../../ui/numbers.ts'
import type { Amounts } from '../draft/computeLimit.ts'

type Side = { decimals: number /** US dollars for a whole token; undefined: unknown */; usd: number | undefined }

/**
 * Value received relative to value paid, by the dollar prices of both tokens: -0.05 is 5 % less. Approximate, for
 * display only.
 * @returns undefined when a price is unknown
 */
export const computeValueChange = ({ sellAmount, buyAmount }: Amounts, sell: Side, buy: Side): number | undefined => {
  if (!sell.usd || !buy.usd || sellAmount === 0n) return undefined
  const paid = (Number(sellAmount) / 10 ** sell.decimals) * sell.usd
  return ((Number(buyAmount) / 10 ** buy.decimals) * buy.usd) / paid - 1
}

/** Change of value below which a trade has a warning: fees, low liquidity or a wrong price. */
export const warnedLossShare = -0.05

/** `about 9.6 % less`, `about the same` */
export const describeValueChange = (change: number): string => {
  const percent = Math.abs(change * 100)
  if (percent < 0.05) return 'about the same'
  return `about ${localize(percent.toFixed(percent < 10 ? 1 : 0))} % ${change < 0 ? 'less' : 'more'}`
}
