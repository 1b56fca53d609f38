import type { Address, Hex } from 'viem'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'
import { SolutionError } from './checkSolution.ts'

/** References for the amounts of an order. */
export type PlausibilityRules = {
  /** auction prices, wei per 10¹⁸ atoms */
  prices: ReadonlyMap<Address, bigint>
  /** atoms; of orders placed with a quote */
  quotes: ReadonlyMap<Hex, { sellAmount: bigint; buyAmount: bigint }>
  /** orders of the auction; limits of any other orders are the solver's own claims */
  orders: Pick<ReadonlyMap<Hex, unknown>, 'has'>
  /** factor by which a rate may exceed a reference */
  factor: number
}

/**
 * Checks that a solution promises only plausible rates. References are the native prices, the order's quote and its
 * limit: a rate is plausible within `factor` of one of them. A manipulated or stale price therefore rejects no honest
 * solution of an order whose quote or limit is near the market. Orders with neither native prices nor a quote are
 * accepted.
 * @throws SolutionError naming the order and both rates
 */
export const checkPlausible = (orders: ReadonlyMap<Hex, SolutionOrder>, rules: PlausibilityRules): void => {
  for (const [uid, order] of orders) {
    const market = findReferences(uid, order, rules)
    const limit = rules.orders.has(uid) ? [{ sell: order.limitSell, buy: order.limitBuy }] : []
    if (market.length === 0 || [...market, ...limit].some((reference) => isWithin(order, reference, rules.factor)))
      continue
    const [{ sell, buy } = { sell: 0n, buy: 0n }] = market
    throw new SolutionError(
      `order ${uid}: buys ${order.executedBuy} for ${order.executedSell}, more than ${rules.factor} times the known rate` +
        ` of ${buy} for ${sell}`,
    )
  }
}

/** Amounts of equal value. */
type Rate = { sell: bigint; buy: bigint }

const findReferences = (uid: Hex, order: SolutionOrder, { prices, quotes }: PlausibilityRules): Rate[] => {
  const [sellPrice, buyPrice] = [prices.get(order.sellToken), prices.get(order.buyToken)]
  const quote = quotes.get(uid)
  return [
    ...(quote && quote.sellAmount > 0n && quote.buyAmount > 0n
      ? [{ sell: quote.sellAmount, buy: quote.buyAmount }]
      : []),
    ...(sellPrice && buyPrice ? [{ sell: buyPrice, buy: sellPrice }] : []),
  ]
}

/** One extra atom is always accepted: rates of a few atoms are meaningless. */
const isWithin = ({ executedSell, executedBuy }: SolutionOrder, { sell, buy }: Rate, factor: number): boolean =>
  executedBuy <= 1n || executedBuy * sell <= executedSell * buy * BigInt(factor)
