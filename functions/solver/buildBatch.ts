import type { Address } from 'viem'
import { computeScore } from '#shared/amounts/computeScore.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { computeGas } from './computeGas.ts'
import { computeRoute, type Route } from './computeRoute.ts'
import { computeSettlementFee } from './computeSettlementFee.ts'
import type { Pools } from './findPools.ts'

/** Everything about one auction that its orders share. */
export interface Market {
  pools: Pools
  /** between two tokens of orders, the native token as the wrapped one */
  buildPaths: (sellToken: Address, buyToken: Address) => Address[][]
  /** wei per gas unit */
  gasPrice: bigint
  /** auction prices, wei per 10^18 atoms */
  prices: ReadonlyMap<Address, bigint>
}

/** One order and what it gets; amounts are what moves at the owner's wallet, fee included. */
export interface Fill {
  order: AuctionOrder
  /** sell token atoms */
  executedSell: bigint
  /** buy token atoms */
  executedBuy: bigint
  /** surplus in native value, wei */
  score: bigint
}

/** Orders of one kind and one directed pair, traded together by one route at one price. */
export interface Batch {
  sellToken: Address
  buyToken: Address
  fills: Fill[]
  route: Route
  /** sum over the fills, wei */
  score: bigint
}

/**
 * Trades orders together: all of them sell the same token for the same other one, and are of the same kind.
 *
 * The orders' amounts make one trade with the pools, in → out, and all orders get its price out / in: the uniform clearing
 * price. Each also pays its network fee, F sell token atoms, as if it were settled alone; what sharing saves stays in the
 * settlement contract, as do the atoms that rounding leaves.
 *     sell of S:  in = Σ(S − F);  executedSell = S,                  executedBuy = ⌊(S − F) · out / in⌋
 *     buy of Y:   out = ΣY;       executedSell = ⌊Y · in / out⌋ + F, executedBuy = Y
 * A single order gets exactly what the route gives. Of several buy orders each F of at least one atom covers the atom that
 * its rounding leaves open. A partially fillable order is traded in full, as far as it is not executed yet.
 *
 * Of all paths the one with the highest score is taken: the fee makes more swaps dearer, so that score is net of gas.
 * @returns undefined when no path serves every order within its limit
 */
export const buildBatch = (market: Market, orders: readonly AuctionOrder[]): Batch | undefined => {
  const first = orders[0]
  if (!first) return undefined
  const { sellToken, buyToken } = first
  let best: Batch | undefined
  for (const path of market.buildPaths(sellToken, buyToken)) {
    const batch = buildBatchAlong(market, path, orders, first)
    if (batch && (!best || batch.score > best.score)) best = batch
  }
  return best
}

const buildBatchAlong = (
  market: Market,
  path: Address[],
  orders: readonly AuctionOrder[],
  { sellToken, buyToken, kind }: AuctionOrder,
): Batch | undefined => {
  const sellPrice = market.prices.get(sellToken)
  const buyPrice = market.prices.get(buyToken)
  if (!sellPrice || !buyPrice) return undefined
  const gas = computeGas(path.length - 1, buyToken === nativeSentinel)
  const fee = computeSettlementFee(gas, market.gasPrice, sellPrice)
  const traded = orders.map((order) => computeRemaining(order) - (kind === 'sell' ? fee : 0n))
  if (traded.some((amount) => amount <= 0n)) return undefined
  const total = traded.reduce((sum, amount) => sum + amount, 0n)
  const route = computeRoute(market.pools, path, kind, total)
  if (!route) return undefined
  const fills: Fill[] = []
  for (const [i, order] of orders.entries()) {
    const amount = traded[i] ?? 0n
    const executed =
      kind === 'sell'
        ? { executedSell: amount + fee, executedBuy: (amount * route.amountOut) / route.amountIn }
        : { executedSell: (amount * route.amountIn) / route.amountOut + fee, executedBuy: amount }
    const fill = buildFill(order, executed, buyPrice)
    if (!fill) return undefined
    fills.push(fill)
  }
  return { sellToken, buyToken, fills, route, score: fills.reduce((sum, fill) => sum + fill.score, 0n) }
}

/** What is left to execute, in atoms of the side that is exact. */
const computeRemaining = (order: AuctionOrder): bigint =>
  (order.kind === 'sell' ? order.sellAmount : order.buyAmount) - order.executed

const buildFill = (
  order: AuctionOrder,
  executed: { executedSell: bigint; executedBuy: bigint },
  buyPrice: bigint,
): Fill | undefined => {
  const { kind, sellAmount: limitSell, buyAmount: limitBuy } = order
  // the contract's limit check multiplies these, and reverts above 256 bits
  if (limitSell * executed.executedBuy > maxUint256 || limitBuy * executed.executedSell > maxUint256) return undefined
  const surplus = executed.executedBuy > 0n ? computeSurplus({ kind, limitSell, limitBuy, ...executed }) : -1n
  if (surplus < 0n) return undefined
  return { order, ...executed, score: computeScore({ kind, limitSell, limitBuy }, surplus, buyPrice) }
}
