import { z } from '@hono/zod-openapi'
import type { LoggedOrderEvent } from '#schema/queries/events/logPage.ts'
import { notificationType, orderEventLabels } from '#schema/tables/enums.ts'
import { computeOrderStatus } from '#shared/orders/computeOrderStatus.ts'
import { orderResponseSchema } from '#shared/orders/orderResponse.ts'
import { addressSchema, amountTextSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'

/** The data of an `order` event. */
export const orderEventSchema = z
  .object({
    id: z.number().int().openapi({ description: 'id of the event, the same in all streams of this network' }),
    orderUid: orderUidSchema,
    order: z
      .object({
        owner: addressSchema,
        kind: z.enum(['sell', 'buy']),
        sellToken: addressSchema,
        buyToken: addressSchema,
        sellAmount: amountTextSchema,
        buyAmount: amountTextSchema,
        validTo: z.number().int().openapi({ description: 'Unix seconds' }),
      })
      .openapi({ description: 'what was signed; of an ether order: its user and their `validTo`' }),
    label: z.enum(orderEventLabels).openapi({
      description:
        'kind of the event; `undone`: a chain reorganisation reverted the step in `data` (`label`, `blockNumber`)',
    }),
    reason: z.string().nullable().openapi({ description: 'why the order was filtered or is invalid' }),
    timestamp: z.iso.datetime(),
    auctionId: z.number().int().nullable(),
    blockNumber: z.number().int().nullable(),
    data: z.record(z.string(), z.unknown()).nullable().openapi({ description: 'details of the event' }),
    status: orderResponseSchema.shape.status.openapi({ description: 'status of the order when the event was read' }),
    executedSellAmount: amountTextSchema,
    executedBuyAmount: amountTextSchema,
    trade: z
      .object({
        transactionHash: hashSchema,
        logIndex: z.number().int(),
        sellAmount: amountTextSchema,
        buyAmount: amountTextSchema,
        feeAmount: amountTextSchema.openapi({ description: 'signed fee' }),
        executedFee: amountTextSchema.openapi({
          description: 'network and protocol fees in the price, sell token atoms',
        }),
      })
      .optional()
      .openapi({ description: '`traded` events only; `sellAmount` includes the signed fee' }),
    notifications: z
      .array(z.object({ id: z.number().int(), type: z.enum(notificationType.enumValues) }))
      .openapi({ description: 'notifications of the event, as listed by `/accounts/{account}/notifications`' }),
  })
  .openapi('OrderEvent')

export type OrderEvent = z.output<typeof orderEventSchema>

/** @param now Unix seconds */
export const toOrderEvent = ({ event, order, trade, notifications }: LoggedOrderEvent, now: number): OrderEvent => ({
  id: event.id,
  orderUid: event.orderUid,
  order: {
    owner: order.onchainUser ?? order.owner,
    kind: order.kind,
    sellToken: order.sellToken,
    buyToken: order.buyToken,
    sellAmount: order.sellAmount.toString(),
    buyAmount: order.buyAmount.toString(),
    validTo: order.userValidTo ?? order.validTo,
  },
  label: event.label,
  reason: event.reason,
  timestamp: event.createdAt.toISOString(),
  auctionId: event.auctionId,
  blockNumber: event.blockNumber,
  data: event.data as Record<string, unknown> | null,
  status: computeOrderStatus(order, now),
  executedSellAmount: order.executedSellAmount.toString(),
  executedBuyAmount: order.executedBuyAmount.toString(),
  ...(trade && {
    trade: {
      transactionHash: trade.transactionHash,
      logIndex: trade.logIndex,
      sellAmount: trade.sellAmount.toString(),
      buyAmount: trade.buyAmount.toString(),
      feeAmount: trade.feeAmount.toString(),
      executedFee: trade.executedFee,
    },
  }),
  notifications,
})
