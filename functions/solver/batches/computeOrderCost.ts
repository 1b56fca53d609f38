import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import { computeInteractionGas } from '#shared/hooks/computeInteractionGas.ts'
import { signatureGas } from '#shared/hooks/contractOwnerGas.ts'
import { nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { computeGas, computeSwapGas } from '../routing/computeGas.ts'
import type { BatchMarket } from './batchMarket.ts'
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

/** Cached, because sizing a batch evaluates many amounts. */
const known = new WeakMap<AuctionOrder, bigint>()

/** Gas units of an order's interactions (such as hooks) and its owner's signature check in its settlement. */
const computeCallGas = (order: AuctionOrder): bigint => {
  const gas =
    known.get(order) ??
    computeInteractionGas([...order.preInteractions, ...order.postInteractions]) + computeSignatureGas(order)
  known.set(order, gas)
  return gas
}

/** The check of an ether order's contract is part of wrapping its ether. */
const computeSignatureGas = ({ signingScheme, userValidTo }: AuctionOrder): bigint =>
  signingScheme === 'eip1271' && userValidTo === undefined ? signatureGas : 0n

/**
 * Network fee of one order in a settlement: the gas cost of settling it, charged in the sell token, rounded up.
 *     fee = ⌈ gas · gasPrice · 10^18 / auctionPrice ⌉
 * @param gasPrice wei per gas unit
 * @param auctionPrice of the sell token, wei per 10^18 atoms, not zero
 * @returns sell token atoms
 */
export const computeSettlementFee = (gas: bigint, gasPrice: bigint, auctionPrice: bigint): bigint =>
  mulDivCeil(gas * gasPrice, auctionPriceScale, auctionPrice)
