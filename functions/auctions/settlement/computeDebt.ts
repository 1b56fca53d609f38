import type { Address } from 'viem'
import type { Shortfall } from '#schema/tables/settlements/settlements.ts'
import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'

/**
 * What a settlement owes an order, wei: the value of the buy tokens that it lacks at the promised rate,
 *     debt = ⌈ (⌈ sold · promised buy / promised sell ⌉ − bought) · buy price / 10^18 ⌉
 * An order of the book that the solution lacks was promised no rate, so that of the prices counts. Nothing is owed for
 * what was not sold, or without a price.
 * @param prices of the auction by token, wei per 10¹⁸ atoms, decimal strings
 */
export const computeDebt = (
  { promised, settled }: Pick<Shortfall, 'promised' | 'settled'>,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  prices: Readonly<Record<string, string>>,
): bigint => {
  const [sellPrice, buyPrice] = [BigInt(prices[sellToken] ?? 0), BigInt(prices[buyToken] ?? 0)]
  const sell = promised ? BigInt(promised.sellAmount) : buyPrice
  const buy = promised ? BigInt(promised.buyAmount) : sellPrice
  if (buyPrice === 0n || sell === 0n) return 0n
  const missing = mulDivCeil(BigInt(settled.sellAmount), buy, sell) - BigInt(settled.buyAmount)
  return missing > 0n ? mulDivCeil(missing, buyPrice, auctionPriceScale) : 0n
}
