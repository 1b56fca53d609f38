import type { Address, Hex } from 'viem'
import { compareDescending } from '#shared/amounts/compareDescending.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { removeSignedFee } from '#shared/amounts/removeSignedFee.ts'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import { toTradedPair } from '#shared/solvers/toTradedPair.ts'
import type { Auction } from '../auction.ts'
import type { ScoredSolution } from './scoreSolution.ts'
import { undoFees } from './undoFees.ts'

/** Orders of a pair that the others are compared with: those that gain the most over its average price. */
const maxFavoured = 20

/** Traded amounts of an order without signed and protocol fees, atoms. */
type Trade = { uid: Hex; pair: string; sell: bigint; buy: bigint; buyPrice: bigint }

/** An order that gets less than another one of its directed pair. */
export type Underpaid = {
  uid: Hex
  favoured: Hex
  /** what it loses at its price instead of the other one, or what that one gains, whichever is less: wei */
  wei: bigint
}

/**
 * Finds the order of a solution that is underpaid the most. Between two orders of one directed pair only network costs
 * are an honest difference: a solver that pays an order of its own above the market raises its score at no cost, and
 * could win the orders of others at their limits with it.
 * @returns undefined when all orders of each pair have the same price
 */
export const findUnderpaid = (
  auction: Pick<Auction, 'orders' | 'prices' | 'feePolicies'>,
  solution: Pick<ScoredSolution, 'orders'>,
  wrappedNative: Address,
): Underpaid | undefined =>
  [...Map.groupBy(listTrades(auction, solution, wrappedNative), ({ pair }) => pair).values()]
    .flatMap(comparePrices)
    .reduce<Underpaid | undefined>((worst, next) => (worst && worst.wei >= next.wei ? worst : next), undefined)

const listTrades = (
  { orders, prices, feePolicies }: Pick<Auction, 'orders' | 'prices' | 'feePolicies'>,
  solution: Pick<ScoredSolution, 'orders'>,
  wrappedNative: Address,
): Trade[] =>
  [...solution.orders].flatMap(([uid, { side: kind, ...execution }]) => {
    const order = orders.get(uid)
    if (!order) return []
    const traded = { ...execution, kind, executedSell: removeSignedFee(order, execution) }
    const { executedSell: sell, executedBuy: buy } = undoFees(traded, feePolicies.get(uid) ?? [])
    const buyPrice = prices.get(execution.buyToken) ?? 0n
    return sell > 0n && buy > 0n ? [{ uid, pair: toTradedPair(execution, wrappedNative), sell, buy, buyPrice }] : []
  })

/** @returns every order that loses to a favoured one, and how much */
const comparePrices = (trades: readonly Trade[]): Underpaid[] => {
  const sold = trades.reduce((sum, { sell }) => sum + sell, 0n)
  const bought = trades.reduce((sum, { buy }) => sum + buy, 0n)
  const favoured = trades
    .map((trade) => ({ trade, gain: trade.buy * sold - trade.sell * bought }))
    .filter(({ gain }) => gain > 0n)
    .toSorted((a, b) => compareDescending(a.gain, b.gain))
    .slice(0, maxFavoured)
  return trades.flatMap(({ uid, sell, buy, buyPrice }) =>
    favoured.flatMap(({ trade: other }) => {
      const loss = (other.buy * sell) / other.sell - buy
      const gain = other.buy - (buy * other.sell) / sell
      const wei = (minOf(loss, gain) * buyPrice) / auctionPriceScale
      return wei > 0n ? [{ uid, favoured: other.uid, wei }] : []
    }),
  )
}
