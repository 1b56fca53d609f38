import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Request } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import { computeFeeGas } from '../batches/convertFees.ts'
import type { OrderFill } from '../fills/buildFill.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas } from '../routing/computeGas.ts'

/** Orders of one direction and their amounts. */
export interface Side {
  requests: readonly Request[]
  /** routes for selling the surplus amount of this side */
  ways: readonly Leg[][]
  /** amounts of its orders without the other side, by UID */
  alone: ReadonlyMap<string, OrderFill>
}

/** An order without its network fee: a sell order gives `amount`, a buy order receives it. */
export interface Trade {
  order: AuctionOrder
  amount: bigint
  fee: bigint
}

/** Sell amount at the order's limit without the network fee, atoms. */
export const computeMostGiven = ({ order, amount, fee }: Trade): bigint =>
  order.kind === 'sell' ? amount : (order.sellAmount * amount) / order.buyAmount - fee

/**
 * The orders of a side, each with its network fee.
 * @param legs swaps that the side pays, besides the sale of its fees
 * @returns undefined when an order does not pay for its gas
 */
export const toTrades = (market: BatchMarket, { requests }: Side, legs: Leg[] = []): Trade[] | undefined => {
  const trades: Trade[] = []
  const sellToken = requests[0]?.order.sellToken
  const feeGas = sellToken && computeFeeGas(market, sellToken, [legs])
  if (feeGas === undefined) return undefined
  const swapGas = computeSwapGas(legs) + feeGas
  for (const { order, amount } of requests) {
    const fee = computeOrderFee(market, order, swapGas, amount)
    const traded = fee === undefined ? 0n : amount - (order.kind === 'sell' ? fee : 0n)
    if (fee === undefined || traded <= 0n) return undefined
    trades.push({ order, amount: traded, fee })
  }
  return trades
}

/** Total of the sell or buy orders' amounts, atoms. */
export const sumOf = (trades: readonly Trade[], kind: 'sell' | 'buy'): bigint =>
  trades.reduce((sum, { order, amount }) => sum + (order.kind === kind ? amount : 0n), 0n)
