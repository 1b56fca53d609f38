import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { computePaid, type Executed } from '../fills/executed.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas, crossedTickGas, strandGas } from '../routing/computeGas.ts'
import { computeRoute } from '../routing/computeRoute.ts'
import { countCrossedTicks } from '../routing/countCrossedTicks.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'
import { computeSplit } from '../splitting/computeSplit.ts'
import type { Request } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { computeNeededFee, computeOrderFee } from './computeOrderFee.ts'
import { computeFeeGas, convertFees, coversFees } from './convertFees.ts'

interface Executions {
  route: SwapRoute
  /** `fee` in the price, and the sell token atoms that the solver needs (`computeNeededFee`) */
  orders: { order: AuctionOrder; gross: Executed; fee: bigint; needed: bigint }[]
}

/**
 * Fees that the solver does not retain are sold in the same settlement. Where the pools pay less for them than the
 * auction's price says, the orders pay fees at the pools' price.
 */
export const executeAlong = (
  market: BatchMarket,
  strands: readonly Leg[][],
  requests: readonly Request[],
): Executions | undefined => {
  const sellToken = requests[0]?.order.sellToken
  if (!sellToken || market.feeTokens.has(sellToken)) return executeCrossing(market, strands, requests, 0n)
  const feeGas = computeFeeGas(market, sellToken, strands)
  if (feeGas === undefined) return undefined
  let price = market.prices.get(sellToken) ?? 0n
  for (let attempt = 0; attempt < 2 && price > 0n; attempt += 1) {
    const priced = { ...market, prices: new Map([[sellToken, price]]) }
    const executions = executeCrossing(priced, strands, requests, feeGas)
    if (!executions) return undefined
    const { orders, route } = executions
    const fees = orders.reduce((sum, { order, gross }) => sum + computePaid({ order, ...gross }), -route.amountIn)
    const sold = convertFees(market, route, sellToken, fees)
    if (!sold) return undefined
    const needed = orders.reduce((sum, { needed }) => sum + needed, 0n)
    if (coversFees(sold.worth, needed, price)) return { orders, route: sold.route }
    price = (sold.worth * auctionPriceScale) / fees
  }
  return undefined
}

/** The ticks that a trade crosses are known once its route is; a larger fee then trades less and crosses no more. */
const executeCrossing = (
  market: BatchMarket,
  strands: readonly Leg[][],
  requests: readonly Request[],
  feeGas: bigint,
): Executions | undefined => {
  const swapGas = computeSwapGas(strands.flat()) + strandGas * BigInt(strands.length - 1) + feeGas
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
      needed: computeNeededFee(market, order, fee, swapGas),
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
