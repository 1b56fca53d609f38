import { formatChange } from '../../ui/formatChange.ts'
import type { Order } from '../loading/loadOrder.ts'

type Side = {
  decimals: number | undefined /** US dollars for a whole token; undefined: not known */
  usd: number | undefined
}

/** A limit this near to the market price is at it: gas and the depth of pools decide, as a share. */
const nearShare = 0.001

/**
 * Why an open order waits, by the dollar prices of its tokens.
 * @returns undefined when a price is unknown
 */
export const describeWait = (
  { sellAmount, buyAmount }: Pick<Order, 'sellAmount' | 'buyAmount'>,
  sell: Side,
  buy: Side,
): string | undefined => {
  if (sell.decimals === undefined || buy.decimals === undefined || !sell.usd || !buy.usd) return undefined
  const sold = (Number(sellAmount) / 10 ** sell.decimals) * sell.usd
  const bought = (Number(buyAmount) / 10 ** buy.decimals) * buy.usd
  if (sold === 0) return undefined
  const away = bought / sold - 1
  if (away <= nearShare) return 'at the market price: waits for the next auction'
  return `waits for the price: ${formatChange(away)} away`
}
