import type { Address } from 'viem'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { mulDivFloor } from '#shared/amounts/mulDiv.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas, crossedTickGas, strandGas } from '../routing/computeGas.ts'
import { computeRoute, type SwapRoute } from '../routing/computeRoute.ts'
import { computeSplit } from '../routing/computeSplit.ts'
import type { Rate } from '../routing/computeSpot.ts'
import { countCrossedTicks } from '../routing/countCrossedTicks.ts'
import type { BatchMarket } from './batchMarket.ts'
import {
  buildFill,
  chargeProtocolFees,
  computeFillSurplus,
  computePaid,
  type Executed,
  type OrderFill,
} from './buildFill.ts'
import { computeMaximum } from './computeMaximum.ts'
import { computeLeast, computeOrderFee, computeRestCost } from './computeOrderFee.ts'
import { canMeetLimit, listPairRoutes, type RouteCandidate } from './listPairRoutes.ts'
import { toOwnerTokenKey } from './toOwnerTokenKey.ts'

/** maximum number of routes for which amounts are searched: those with the best prices */
const maxSizedWays = 3

/**
 * Amount of an order to trade: sell token atoms including the network fee in its price but not a signed fee, or buy
 * token atoms.
 */
export interface Request {
  order: AuctionOrder
  amount: bigint
}

/** Orders that trade together at one price, with the pools and with each other. */
export interface Batch {
  sellToken: Address
  buyToken: Address
  fills: OrderFill[]
  /** the uniform clearing price: `amountIn` of the sell token for `amountOut` of the buy token */
  rate: Rate
  /** further pairs of a ring with their clearing prices, except the last pair, whose price follows from the others */
  ring?: readonly Pick<Batch, 'sellToken' | 'buyToken' | 'rate'>[]
  /** trade with the pools */
  route: SwapRoute
  /** of the market that it was computed for */
  tolerance: bigint
  /** sum over the fills, wei */
  score: bigint
}

/**
 * Trades orders of the same directed pair and kind together.
 *
 * The orders' amounts form one trade with the pools, in → out, and all orders trade at its price out / in, the uniform
 * clearing price. Each order also pays its network fee, F sell token atoms, as if it were settled alone; the savings of
 * sharing and rounding remainders stay in the settlement contract. Protocol fees are taken from the result
 * (`chargeProtocolFees`).
 *     sell of S:  in = Σ(S − F);  executedSell = S,                  executedBuy = ⌊(S − F) · out / in⌋
 *     buy of Y:   out = ΣY;       executedSell = ⌊Y · in / out⌋ + F, executedBuy = Y
 * A single order receives the exact output of the route. With several buy orders, each F of at least one atom covers
 * the atom lost by rounding.
 *
 * The route with the highest score is chosen: routes with more swaps have a higher fee, so the score is net of gas.
 * @returns undefined when no route fills every order within its limit and its owner's funds
 */
export const buildBatch = (market: BatchMarket, requests: readonly Request[]): Batch | undefined => {
  const [first] = requests
  return first && pickBest(listPairRoutes(market, first.order), ({ legs }) => buildBatchAlong(market, [legs], requests))
}

/**
 * Adds an order to a batch with the amount of the highest score: all of a fill-or-kill order; of a partially fillable
 * one at most its owner's funds, and at most the amount at which the marginal price reaches the order's limit. The rest
 * waits for deeper pools. A part is taken instead of the whole only when it gains more than the settlement of its rest
 * costs: otherwise a rest too small for its gas would stay open.
 * @param base orders of the same kind and pair, with their amounts
 * @param sized whether to search the amount of a partially fillable order; otherwise it is filled completely or not at
 *   all
 */
export const buildBatchWith = (
  market: BatchMarket,
  base: readonly Request[],
  order: AuctionOrder,
  sized: boolean,
): Batch | undefined => {
  const most = computeMost(market, base, order)
  const whole = buildBatch(market, [...base, { order, amount: most }])
  if (!order.partiallyFillable || !sized) return whole
  const part = pickBest(
    listPairRoutes(market, order)
      .filter(({ spot }) => canMeetLimit(order, spot))
      .slice(0, maxSizedWays),
    ({ legs }) => {
      const least = computeLeast(market, order, legs)
      if (least >= most) return undefined
      const value = (amount: bigint) => computeSurplusAlong(market, [legs], [...base, { order, amount }])
      return buildBatchAlong(market, [legs], [...base, { order, amount: computeMaximum(value, least, most) }])
    },
  )
  if (!whole || !part) return whole ?? part
  return part.score > whole.score + computeRestCost(market, order) ? part : whole
}

export const toRequest = ({ order, executedSell, executedBuy }: OrderFill): Request => ({
  order,
  amount: order.kind === 'sell' ? executedSell : executedBuy,
})

/** Unfilled amount, in atoms of the exact side. */
const computeRemaining = (order: AuctionOrder): bigint =>
  (order.kind === 'sell' ? order.sellAmount : order.buyAmount) - order.executed

/** Whether the owners' funds cover their fills. */
export const isFunded = ({ funds }: BatchMarket, fills: readonly OrderFill[]): boolean => {
  const taken = new Map<string, bigint>()
  for (const fill of fills) {
    const key = toOwnerTokenKey(fill.order.owner, fill.order.sellToken)
    taken.set(key, (taken.get(key) ?? 0n) + computePaid(fill))
  }
  return [...taken].every(([key, amount]) => amount <= (funds.get(key) ?? amount))
}

const pickBest = (
  ways: readonly RouteCandidate[],
  build: (way: RouteCandidate) => Batch | undefined,
): Batch | undefined => {
  let best: Batch | undefined
  for (const way of ways) {
    const batch = build(way)
    if (batch && (!best || batch.score > best.score)) best = batch
  }
  return best
}

/** @param strands one, or several that share the amount */
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

type Executions = { route: SwapRoute; orders: { order: AuctionOrder; gross: Executed; fee: bigint }[] }

/** The ticks that a trade crosses are known once its route is; a larger fee then trades less and crosses no more. */
const executeAlong = (
  market: BatchMarket,
  strands: readonly Leg[][],
  requests: readonly Request[],
): Executions | undefined => {
  const swapGas = computeSwapGas(strands.flat()) + strandGas * BigInt(strands.length - 1)
  const executions = executeWithGas(market, strands, requests, swapGas)
  const crossed = executions ? countCrossedTicks(executions.route) : 0n
  return crossed > 0n ? executeWithGas(market, strands, requests, swapGas + crossed * crossedTickGas) : executions
}

const executeWithGas = (
  market: BatchMarket,
  strands: readonly Leg[][],
  requests: readonly Request[],
  swapGas: bigint,
): Executions | undefined => {
  const trades: { order: AuctionOrder; amount: bigint; fee: bigint }[] = []
  for (const { order, amount } of requests) {
    const fee = computeOrderFee(market, order, swapGas, amount)
    if (fee === undefined) return undefined
    const traded = amount - (order.kind === 'sell' ? fee : 0n)
    if (traded <= 0n) return undefined
    trades.push({ order, amount: traded, fee })
  }
  const total = trades.reduce((sum, { amount }) => sum + amount, 0n)
  const route = trades[0] && computeRouteAlong(strands, trades[0].order.kind, total, market.tolerance)
  if (!route) return undefined
  const { amountIn, amountOut } = route
  return {
    route,
    orders: trades.map(({ order, amount, fee }) => ({
      order,
      fee,
      gross:
        order.kind === 'sell'
          ? { executedSell: amount + fee, executedBuy: (amount * amountOut) / amountIn }
          : { executedSell: (amount * amountIn) / amountOut + fee, executedBuy: amount },
    })),
  }
}

const computeRouteAlong = (
  strands: readonly Leg[][],
  kind: 'sell' | 'buy',
  amount: bigint,
  tolerance: bigint,
): SwapRoute | undefined => {
  const [legs = [], ...others] = strands
  return others.length > 0
    ? computeSplit(strands, kind, amount, tolerance)
    : computeRoute(legs, kind, amount, tolerance)
}

/** Unfilled amount of an order; of a partially fillable sell order at most its owner's funds beyond the base. */
export const computeMost = ({ funds }: BatchMarket, base: readonly Request[], order: AuctionOrder): bigint => {
  const remaining = computeRemaining(order)
  const held = funds.get(toOwnerTokenKey(order.owner, order.sellToken))
  if (held === undefined || !order.partiallyFillable || order.kind === 'buy') return remaining
  const taken = base.reduce(
    (sum, other) =>
      sum + (other.order.owner === order.owner ? other.amount + computeSignedFee(other.order, other.amount) : 0n),
    0n,
  )
  const left = held > taken ? held - taken : 0n
  return minOf(mulDivFloor(left, order.sellAmount, order.sellAmount + order.feeAmount), remaining)
}
