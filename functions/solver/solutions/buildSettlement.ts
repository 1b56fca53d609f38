import { type Hex, zeroAddress } from 'viem'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { encodeSettlement, type SettlementTrade } from '#shared/solvers/encodeSettlement.ts'
import { computePaid, type Executed } from '../fills/executed.ts'
import { buildSwapInteractions } from '../routing/buildSwapInteractions.ts'
import type { Solution } from './buildSolution.ts'
import { buildUnwrapInteractions } from './buildUnwrapInteractions.ts'

/** Builds the calldata that settles a solution; the orders' interactions are in the order of their trades. */
export const buildSettlement = ({ batches, uniformPrices }: Solution, auctionId: bigint, network: Network): Hex => {
  const fills = batches.flatMap((batch) => batch.fills)
  // wei that the settlement contract pays out
  const paidOut = fills.reduce(
    (sum, { order, executedBuy }) => sum + (order.buyToken === nativeSentinel ? executedBuy : 0n),
    0n,
  )
  return encodeSettlement({
    auctionId,
    uniformPrices,
    trades: fills.map(toSettlementTrade),
    interactions: {
      pre: fills.flatMap(({ order }) => order.preInteractions),
      intra: [
        ...batches.flatMap(({ route }) => buildSwapInteractions(route, network)),
        ...buildUnwrapInteractions(network.wrappedNative, paidOut),
      ],
      post: fills.flatMap(({ order }) => order.postInteractions),
    },
  })
}

export const toSettlementTrade = (fill: Executed & { order: AuctionOrder }): SettlementTrade => ({
  order: toSignedOrder(fill.order),
  owner: fill.order.owner,
  scheme: fill.order.signingScheme,
  signature: fill.order.signature,
  executedSell: computePaid(fill),
  executedBuy: fill.executedBuy,
})

/** The members that the owner signed. */
const toSignedOrder = (order: AuctionOrder) => ({
  sellToken: order.sellToken,
  buyToken: order.buyToken,
  receiver: order.receiver ?? zeroAddress,
  sellAmount: order.sellAmount,
  buyAmount: order.buyAmount,
  validTo: order.validTo,
  appDataHash: order.appData,
  feeAmount: order.feeAmount,
  kind: order.kind,
  partiallyFillable: order.partiallyFillable,
  sellTokenBalance: order.sellTokenBalance,
  buyTokenBalance: order.buyTokenBalance,
})
