import { buildFill, type OrderFill } from '../fills/buildFill.ts'
import { chargeProtocolFees } from '../fills/chargeProtocolFees.ts'
import { computeFillSurplus, computePaid } from '../fills/executed.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { type Batch, isFunded, type Request } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { executeAlong } from './executeAlong.ts'
import { toOwnerTokenKey } from './toOwnerTokenKey.ts'

/**
 * Builds the batch of orders that trade along given routes.
 * @param strands one, or several that share the amount
 * @returns undefined when an order is not filled within its limit and its owner's funds
 */
export const buildBatchAlong = (
  market: BatchMarket,
  strands: readonly Leg[][],
  requests: readonly Request[],
): Batch | undefined => {
  const executions = executeAlong(market, strands, requests)
  const buyPrice = requests[0] && market.prices.get(requests[0].order.buyToken)
  if (!executions || !buyPrice) return undefined
  const fills: OrderFill[] = []
  for (const { order, gross, fee } of executions.orders) {
    const fill = buildFill(order, gross, fee, buyPrice)
    if (!fill) return undefined
    fills.push(fill)
  }
  const [first] = fills
  if (!first || !isFunded(market, fills)) return undefined
  const { sellToken, buyToken } = first.order
  const { route } = executions
  const rate = { amountIn: route.amountIn, amountOut: route.amountOut }
  const score = fills.reduce((sum, fill) => sum + fill.score, 0n)
  return { sellToken, buyToken, fills, rate, route, tolerance: market.tolerance, score }
}

/** Total surplus of all orders, atoms; negative below their limits. */
export const computeSurplusAlong = (
  market: BatchMarket,
  strands: readonly Leg[][],
  requests: readonly Request[],
): bigint | undefined => {
  const executions = executeAlong(market, strands, requests)
  if (!executions) return undefined
  let sum = 0n
  for (const { order, gross } of executions.orders) {
    const net = chargeProtocolFees(order, gross)
    const held = market.funds.get(toOwnerTokenKey(order.owner, order.sellToken))
    if (!net || (held !== undefined && computePaid({ order, ...net }) > held)) return undefined
    sum += computeFillSurplus(order, net)
  }
  return sum
}
