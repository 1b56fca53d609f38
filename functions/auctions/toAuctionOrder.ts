import type { Candidate } from '#schema/queries/solvableOrders.ts'
import type { SolveRequestBody } from '#shared/solvers/driverApi.ts'
import { computeExecuted } from './computeRemaining.ts'

/** An order as solvers get it. */
export const toAuctionOrder = ({ order }: Candidate): SolveRequestBody['orders'][number] => ({
  uid: order.uid,
  sellToken: order.sellToken,
  buyToken: order.buyToken,
  sellAmount: order.sellAmount.toString(),
  buyAmount: order.buyAmount.toString(),
  protocolFees: [],
  created: Math.floor(order.createdAt.getTime() / 1000),
  validTo: order.validTo,
  kind: order.kind,
  receiver: order.receiver,
  owner: order.owner,
  partiallyFillable: order.partiallyFillable,
  executed: computeExecuted(order).toString(),
  preInteractions: [],
  postInteractions: [],
  sellTokenBalance: order.sellTokenBalance,
  buyTokenBalance: order.buyTokenBalance,
  class: 'limit',
  appData: order.appDataHash,
  signingScheme: order.signingScheme,
  signature: order.signature,
})
