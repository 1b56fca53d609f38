import type { Address, Hex } from 'viem'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'
import { SolutionError } from './checkSolution.ts'

/** What the amounts of an order are compared with. */
export type PlausibilityRules = {
  /** auction prices, wei per 10¹⁸ atoms */
  prices: ReadonlyMap<Address, bigint>
  /** atoms; orders that were placed with a quote */
  quotes: ReadonlyMap<Hex, { sellAmount: bigint; buyAmount: bigint }>
  /** orders of the auction; the limit of any other order is the solver's own word */
  orders: Pick<ReadonlyMap<Hex, unknown>, 'has'>
  /** how many times better than a reference a rate may be */
  factor: number
}

/**
 * Checks that a solution promises no order a rate above any plausible one. The references are the native prices, the
 * order's own quote and its limit: a rate is plausible within `factor` of one of them. So a price that one solver pushed
 * down, or a stale one, rejects no honest solution of an order whose quote or limit is near the market. An order with
 * neither native prices nor a quote is accepted.
 * @throws SolutionError naming the order and both rates
 */
export const checkPlausible = (orders: Readonly<Record<Hex, SolutionOrder>>, rules: PlausibilityRules): void => {
  for (const [uid, order] of Object.entries(orders) as [Hex, SolutionOrder][]) {
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

/** Amounts of equal worth. */
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

/** An atom is always within: amounts of a few atoms have no rate to speak of. */
const isWithin = ({ executedSell, executedBuy }: SolutionOrder, { sell, buy }: Rate, factor: number): boolean =>
  executedBuy <= 1n || executedBuy * sell <= executedSell * buy * BigInt(factor)
