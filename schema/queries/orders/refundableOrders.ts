import { and, asc, eq, gt, gte, isNotNull, isNull, lt, not, or } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Network } from '#shared/networks.ts'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'

/** An order that sells the native token, as its contract takes it. */
export type RefundableOrder = {
  uid: Hex
  buyToken: Address
  receiver: Address
  /** wei */
  sellAmount: bigint
  /** buy token atoms */
  buyAmount: bigint
  appData: Hex
  /** wei */
  feeAmount: bigint
  /** last valid second of its user, Unix */
  validTo: number
  partiallyFillable: boolean
  /** the contract ignores it here */
  quoteId: bigint
}

/**
 * Expired orders of these seconds, Unix: `from` included, `before` not; at most `limit`, after one of an earlier page.
 */
export type RefundablePage = {
  from: number
  before: number
  limit: number
  after: Pick<RefundableOrder, 'validTo' | 'uid'> | undefined
}

/**
 * A page of the native order contract's orders that expired without a full fill and were not refunded, the longest
 * expired first. Reads the index of unfilled orders (`orders_select_unfilled_orders`).
 */
export const selectRefundableOrders = async (
  database: Database,
  { chainId, ethFlow }: Pick<Network, 'chainId' | 'ethFlow'>,
  { from, before, limit, after }: RefundablePage,
): Promise<RefundableOrder[]> => {
  const rows = await database
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.chainId, chainId),
        eq(orders.owner, ethFlow),
        isNotNull(orders.userValidTo),
        gte(lastValidSecond, from),
        lt(lastValidSecond, before),
        isNull(orders.cancelledAt),
        not(orders.invalidated),
        isUnfilled,
        isNull(orders.refundTransactionHash),
        after &&
          or(gt(lastValidSecond, after.validTo), and(eq(lastValidSecond, after.validTo), gt(orders.uid, after.uid))),
      ),
    )
    .orderBy(asc(lastValidSecond), asc(orders.uid))
    .limit(limit)
  return rows.flatMap(({ uid, userValidTo, receiver, ...order }) =>
    userValidTo === null || receiver === null
      ? []
      : [
          {
            uid,
            receiver,
            buyToken: order.buyToken,
            sellAmount: order.sellAmount,
            buyAmount: order.buyAmount,
            appData: order.appDataHash,
            feeAmount: order.feeAmount,
            validTo: userValidTo,
            partiallyFillable: order.partiallyFillable,
            quoteId: 0n,
          },
        ],
  )
}
