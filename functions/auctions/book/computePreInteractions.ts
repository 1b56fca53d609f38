import type { Address } from 'viem'
import type { OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { computeExecuted, type FillableOrder } from '#shared/orders/computeRemaining.ts'

/**
 * Interactions to run before the next trade of an order. Pre-hooks run before the first trade only; the owner
 * contract's interactions, such as wrapping the sell amount, run before every trade.
 */
export const computePreInteractions = (
  order: FillableOrder & { owner: Address; preInteractions: OrderInteraction[] },
): OrderInteraction[] =>
  computeExecuted(order) === 0n
    ? order.preInteractions
    : order.preInteractions.filter(({ target }) => target === order.owner)
