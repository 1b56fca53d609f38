import { nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { computeGas, computeSwapGas } from '../routing/computeGas.ts'
import type { BatchMarket } from './batchMarket.ts'
import { computeCallGas } from './computeCallGas.ts'
import { computeSettlementFee } from './computeSettlementFee.ts'
import { listPairRoutes } from './listPairRoutes.ts'

/**
 * Cost of settling an order alone: its own gas, the gas of its interactions, the gas of the swaps, and the data.
 * @returns sell token atoms; undefined without a price
 */
export const computeOrderCost = (market: BatchMarket, order: AuctionOrder, swapGas: bigint): bigint | undefined => {
  const sellPrice = market.prices.get(order.sellToken)
  return sellPrice && computeSettlementFee(computeOrderGas(market, order, swapGas), market.gasPrice, sellPrice)
}

const computeOrderGas = ({ dataGas }: BatchMarket, order: AuctionOrder, swapGas: bigint): bigint =>
  computeGas(swapGas, order.buyToken === nativeSentinel) + computeCallGas(order) + dataGas

/** Cost of a later settlement of the rest of an order along the best route, wei. */
export const computeRestCost = (market: BatchMarket, order: AuctionOrder): bigint => {
  const [best] = listPairRoutes(market, order)
  return best ? computeOrderGas(market, order, computeSwapGas(best.legs)) * market.gasPrice : 0n
}
