import type { Address } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { computeNativeGap } from '#shared/orders/verdict/computePrice.ts'
import { type Exclusion, exclude } from './exclude.ts'

/**
 * Excludes orders without a price of both tokens, or with a limit too far from the market. The buy token's price ranks
 * solutions, the sell token's price converts gas into a fee. No solver can fill a limit far from the market, but every
 * auction would cost work for it.
 * @param maxGapBps maximum distance of the limit from the market, in 1/10000 of the market
 */
export const computePriceExclusion = (
  candidate: Candidate,
  prices: ReadonlyMap<Address, bigint>,
  maxGapBps: number,
): Exclusion | undefined => exclude(candidate, { prices, outOfMarketBps: maxGapBps }, 'price')

/** Comparison of an order's limit with the native prices, for its log; undefined without both prices. */
export const computeMarketData = ({ order }: Candidate, prices: ReadonlyMap<Address, bigint>): JsonObject | undefined =>
  computeNativeGap({ order, prices: { sellPrice: prices.get(order.sellToken), buyPrice: prices.get(order.buyToken) } })
