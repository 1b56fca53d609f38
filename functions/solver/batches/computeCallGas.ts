import { computeInteractionGas } from '#shared/hooks/computeInteractionGas.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

/** A batch is sized by trying many amounts, and each asks for the same. */
const known = new WeakMap<AuctionOrder, bigint>()

/** Gas units that the calls which an order brings along (hooks, say) take in its settlement. */
export const computeCallGas = (order: AuctionOrder): bigint => {
  const gas = known.get(order) ?? computeInteractionGas([...order.preInteractions, ...order.postInteractions])
  known.set(order, gas)
  return gas
}
