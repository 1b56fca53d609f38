import type { PlacementFacts } from '#schema/queries/orders.ts'
import type { OrderCreation } from './orderCreation.ts'

/**
 * Whether an order trades what its quote priced, while the quote is valid: same tokens and kind, and the exact amount of
 * the kind. A quote keeps the sell amount before its fee was taken out, so a sell order matches when it signs the whole of
 * it. The limit amount and the app data are the client's own, since slippage and its note change both.
 * @param now Unix seconds
 */
export const matchesQuote = (
  order: Pick<OrderCreation, 'sellToken' | 'buyToken' | 'kind' | 'sellAmount' | 'buyAmount'>,
  quote: NonNullable<PlacementFacts['quote']>,
  now: number,
): boolean =>
  order.sellToken === quote.sellToken &&
  order.buyToken === quote.buyToken &&
  order.kind === quote.kind &&
  (order.kind === 'sell' ? order.sellAmount === quote.sellAmount : order.buyAmount === quote.buyAmount) &&
  quote.expiresAt.getTime() >= now * 1_000
