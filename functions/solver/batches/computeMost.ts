import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { mulDivFloor } from '#shared/amounts/mulDiv.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Request } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { toOwnerTokenKey } from './toOwnerTokenKey.ts'

/**
 * Unfilled amount of an order, in atoms of its exact side; of a partially fillable sell order at most its owner's funds
 * beyond the base.
 */
export const computeMost = ({ funds }: BatchMarket, base: readonly Request[], order: AuctionOrder): bigint => {
  const remaining = (order.kind === 'sell' ? order.sellAmount : order.buyAmount) - order.executed
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
