import type { OfferedQuote } from '#shared/orders/checkSignedFee.ts'

/**
 * Columns of a quote that an order signing the quote's fee must match.
 * @param t the table of quotes or an alias of it
 */
export const offeredQuoteColumns = <T extends Record<keyof OfferedQuote, unknown>>({
  id,
  sellToken,
  buyToken,
  kind,
  feeAmount,
  offeredSellAmount,
  offeredBuyAmount,
  expiresAt,
}: T): Pick<T, keyof OfferedQuote> => ({
  id,
  sellToken,
  buyToken,
  kind,
  feeAmount,
  offeredSellAmount,
  offeredBuyAmount,
  expiresAt,
})
