import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import type { BatchMarket } from './batchMarket.ts'
import { computeOrderCost } from './computeOrderCost.ts'

/**
 * Network fee in the price of an order. An order with a signed fee pays no second one; it can be settled while the fee
 * of the traded part covers half of the cost, because gas prices change between quote and settlement.
 * @param amount amount to trade, see `Request`
 * @returns sell token atoms; undefined without a price, or when the signed fee is too low
 */
export const computeOrderFee = (
  market: BatchMarket,
  order: AuctionOrder,
  swapGas: bigint,
  amount: bigint,
): bigint | undefined => {
  const cost = computeOrderCost(market, order, swapGas)
  if (cost === undefined || order.feeAmount === 0n) return cost
  return 2n * computeSignedFee(order, amount) < cost ? undefined : 0n
}

/** Sell token atoms that a settlement needs of an order: its fee, or half of the cost where it signs one. */
export const computeNeededFee = (market: BatchMarket, order: AuctionOrder, fee: bigint, swapGas: bigint): bigint =>
  order.feeAmount === 0n ? fee : ((computeOrderCost(market, order, swapGas) ?? 0n) + 1n) / 2n

/**
 * Minimum part: a smaller one would not be worth its gas at any pool price, see `buildFill`, and `computeOrderFee` for
 * signed fees.
 */
export const computeLeast = (market: BatchMarket, order: AuctionOrder, legs: Leg[]): bigint => {
  const cost = computeOrderCost(market, order, computeSwapGas(legs)) ?? 0n
  const { kind, sellAmount, buyAmount, feeAmount } = order
  if (feeAmount > 0n) return mulDivCeil((cost + 1n) / 2n, kind === 'sell' ? sellAmount : buyAmount, feeAmount)
  return kind === 'sell' ? 2n * cost : (cost * buyAmount) / sellAmount
}
