import type { OfferedQuote } from '#shared/orders/checkSignedFee.ts'

/**
 * What an order that signs the fee of a quote has to agree with.
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
