import type { Address } from 'viem'
import type { Block } from '../chain/createChain.ts'
import { listChainEvents } from '../oracle/listChainEvents.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/**
 * No trade is below the limit of its order or before its first second. No honest solver settles an order long after its
 * cancellation; another one may, with a transaction that it sent before.
 * @param solvers honest ones
 */
export const checkTrades = ({ orders }: World, solvers: readonly Address[], block: Block): void => {
  for (const event of listChainEvents([block])) {
    if (event.name !== 'Trade') continue
    const { orderUid, sellAmount, buyAmount, feeAmount } = event.args
    const order = orders.get(orderUid)
    if (!order) continue
    const sold = sellAmount - feeAmount
    if (buyAmount * order.sellAmount < sold * order.buyAmount)
      throw new Violation(
        'limit',
        `${sold} sold for ${buyAmount}, the limit is ${order.sellAmount} for ${order.buyAmount}`,
        orderUid,
      )
    if (block.timestamp < order.validFrom)
      throw new Violation('early', `traded at ${block.timestamp}, valid from ${order.validFrom}`, orderUid)
    const isHonest = solvers.includes(event.receipt.transaction.from)
    if (isHonest && order.cancelledAt !== undefined && order.cancelledAt < block.number - 8)
      throw new Violation('cancelled', `traded at ${block.number}, cancelled at ${order.cancelledAt}`, orderUid)
  }
}
