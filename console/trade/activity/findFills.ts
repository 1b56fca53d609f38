import type { Order } from '../../order/loading/loadOrder.ts'

/**
 * Orders that were filled between two versions of a list.
 * @param before undefined: the list is shown for the first time, so nothing is new
 */
export const findFills = (before: readonly Order[] | undefined, after: readonly Order[]): Order[] =>
  before
    ? after.filter(
        ({ uid, status }) =>
          status === 'fulfilled' && before.some((order) => order.uid === uid && order.status !== 'fulfilled'),
      )
    : []
