import { computeInteractionGas } from '#shared/hooks/computeInteractionGas.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

/** Cached, because sizing a batch evaluates many amounts. */
const known = new WeakMap<AuctionOrder, bigint>()

/** Gas units of an order's interactions (such as hooks) in its settlement. */
export const computeCallGas = (order: AuctionOrder): bigint => {
  const gas = known.get(order) ?? computeInteractionGas([...order.preInteractions, ...order.postInteractions])
  known.set(order, gas)
  return gas
}
