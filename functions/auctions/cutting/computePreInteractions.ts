import type { Address } from 'viem'
import type { OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { computeExecuted, type FillableOrder } from '#shared/orders/computeRemaining.ts'

/**
 * What is to be called before the next trade of an order. Hooks run before the first trade only; what its owner has to do for
 * each, such as wrapping what it sells, before all of them.
 */
export const computePreInteractions = (
  order: FillableOrder & { owner: Address; preInteractions: OrderInteraction[] },
): OrderInteraction[] =>
  computeExecuted(order) === 0n
    ? order.preInteractions
    : order.preInteractions.filter(({ target }) => target === order.owner)
