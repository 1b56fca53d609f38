import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Executed } from '../fills/executed.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas, crossedTickGas, strandGas } from '../routing/computeGas.ts'
import { computeRoute } from '../routing/computeRoute.ts'
import { countCrossedTicks } from '../routing/countCrossedTicks.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'
import { computeSplit } from '../splitting/computeSplit.ts'
import type { Request } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { computeOrderFee } from './computeOrderFee.ts'

type Executions = { route: SwapRoute; orders: { order: AuctionOrder; gross: Executed; fee: bigint }[] }

/** The ticks that a trade crosses are known once its route is; a larger fee then trades less and crosses no more. */
export const executeAlong = (
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
