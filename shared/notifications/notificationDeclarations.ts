import { z } from '@hono/zod-openapi'
import { addressSchema, hashSchema, orderUidSchema } from '../validation/chainValues.ts'
import { buildOrderMetadata, getFacts, type NotifiedEvent } from './buildMetadata.ts'
import { buildTradeMetadata } from './buildTradeMetadata.ts'
import { describeNotifiedOrder, describePlace, describeSwap, describeTerms } from './describeNotifiedOrder.ts'
import { describeFilled, describeGainShare } from './describeShare.ts'
import { type OrderMetadata, orderShape, type TradeMetadata, tokenAmountSchema, tradeShape } from './metadataShapes.ts'
import type { NotificationType } from './notificationTypes.ts'
import { atLeastZero } from './toGain.ts'
import { toAmountText, toExactText } from './toTokenAmount.ts'

type Declaration<Shape extends z.ZodRawShape> = {
  /** subject of e-mails and pushes */
  title: string
  /** of the OpenAPI document */
  description: string
  metadata: Shape
  /** builds `metadata` from the facts that `schema/queries/notifications/notifications.ts` stores */
  build: (event: NotifiedEvent) => z.output<z.ZodObject<Shape>>
  /** one sentence with amounts rounded down; `metadata` has the exact ones */
  describe: (metadata: z.output<z.ZodObject<Shape>>, event: NotifiedEvent) => string
}

const declare = <Shape extends z.ZodRawShape>({ build, describe, ...declaration }: Declaration<Shape>) => ({
  ...declaration,
  buildBody: (event: NotifiedEvent) => {
    const metadata = build(event)
    return { metadata, message: describe(metadata, event) }
  },
})

const cancellationShape = {
  ...orderShape,
  transactionHash: hashSchema.nullable().openapi({ description: 'transaction of an on-chain cancellation' }),
  cancelledBy: addressSchema.nullable().openapi({ description: 'account that cancelled it on-chain' }),
  replacedBy: orderUidSchema.nullable().openapi({ description: 'the order that replaced it' }),
}

const conditionalEnds = {
  completed: 'is completed: each part was filled',
  expired: 'has no further part, and not all were filled',
  cancelled: 'was cancelled',
  failed: 'ended, because its contract failed again and again',
}

const conditionalShape = {
  ...orderShape,
  conditionalOrder: z
    .object({
      hash: hashSchema,
      reason: z.enum(Object.keys(conditionalEnds) as [keyof typeof conditionalEnds]),
    })
    .openapi({ description: 'the other fields are those of its newest part' }),
}

const shortfallShape = {
  ...orderShape,
  shortfall: z.object({
    lacks: z.enum(['balance', 'allowance']).openapi({ description: 'allowance: for the vault relayer' }),
    needed: tokenAmountSchema,
    available: tokenAmountSchema,
    missing: tokenAmountSchema,
  }),
}

/**
 * Every notification type of `notificationTypes`: the one place for its metadata and its words. The schema of the API and the
 * messages of all channels follow from it.
 */
export const notificationDeclarations = {
  order_filled: declare({
    title: 'Order filled',
    description: 'a settlement filled the order, or the rest of it',
    metadata: tradeShape,
    build: buildTradeMetadata,
    describe: (metadata) => `Your order${describePlace(metadata)} ${describeSwap(metadata.kind, metadata.executed)}.`,
  }),
  order_partially_filled: declare({
    title: 'Order partially filled',
    description: 'a settlement filled a part of the order',
    metadata: tradeShape,
    build: buildTradeMetadata,
    describe: (metadata) =>
      `A part of your order${describePlace(metadata)} was filled: it ${describeSwap(metadata.kind, metadata.trade)}, and is filled to ${describeFilled(metadata.executed.bps)} now.`,
  }),
  order_expired: declare({
    title: 'Order expired',
    description: 'the validity ended before the order was filled',
    metadata: orderShape,
    build: (event) => buildOrderMetadata(event),
    describe: (metadata) => `${describeNotifiedOrder(metadata)} expired ${describeEnd(metadata)}.`,
  }),
  order_cancelled: declare({
    title: 'Order cancelled',
    description: 'the order was cancelled before it was filled',
    metadata: cancellationShape,
    build: (event) => {
      const { by, replacedBy, transactionHash } = getFacts(event, 'cancellation')
      return { ...buildOrderMetadata(event, transactionHash), transactionHash, cancelledBy: by, replacedBy }
    },
    describe: (metadata) => `${describeNotifiedOrder(metadata)} ${describeCancellation(metadata)}.`,
  }),
  insufficient_balance: declare({
    title: 'Order is missing funds',
    description: 'the funds no longer suffice to settle the order',
    metadata: shortfallShape,
    build: (event) => {
      const { lacks, needed, available } = getFacts(event, 'funds')
      const { toSell } = event
      const missing = atLeastZero(BigInt(needed) - BigInt(available))
      const shortfall = { lacks, needed: toSell(needed), available: toSell(available), missing: toSell(missing) }
      return { ...buildOrderMetadata(event), shortfall }
    },
    describe: (metadata) => `${describeNotifiedOrder(metadata)} ${describeShortfall(metadata)}.`,
  }),
  price_improvement: declare({
    title: 'Better price',
    description: 'a trade gave at least 0.01% over the limit',
    metadata: tradeShape,
    build: buildTradeMetadata,
    describe: (metadata, event) =>
      `Your order${describePlace(metadata)} ${describeGain(metadata, BigInt(getFacts(event, 'trade').limitAmount))}.`,
  }),
  conditional_order_ended: declare({
    title: 'Conditional order ended',
    description: 'a conditional order with parts was completed, expired, was cancelled or failed',
    metadata: conditionalShape,
    build: (event) => ({ ...buildOrderMetadata(event), conditionalOrder: getFacts(event, 'conditional') }),
    describe: (metadata) =>
      `Your conditional order${describePlace(metadata)} ${conditionalEnds[metadata.conditionalOrder.reason]}. Its last part was to ${describeTerms(metadata)}.`,
  }),
} satisfies Record<NotificationType, unknown>

export type MetadataOf<Type extends NotificationType> = z.output<
  z.ZodObject<(typeof notificationDeclarations)[Type]['metadata']>
>

const describeGain = ({ kind, surplus, improvement }: TradeMetadata, limitAmount: bigint): string => {
  const [verb, comparison] = kind === 'sell' ? ['got', 'more'] : ['paid', 'less']
  const share = describeGainShare(BigInt(surplus.amount), limitAmount)
  const overLimit = `${verb} ${toAmountText(surplus)}${share} ${comparison} than its limit`
  return improvement ? `${overLimit}, and ${toAmountText(improvement)} ${comparison} than quoted` : overLimit
}

const describeEnd = ({ executed }: OrderMetadata): string =>
  executed.sell.amount === '0' ? 'unfilled' : `with ${describeFilled(executed.bps)} of it filled`

const describeCancellation = (metadata: z.output<z.ZodObject<typeof cancellationShape>>): string => {
  const filled = metadata.executed.sell.amount === '0' ? '' : ` ${describeEnd(metadata)}`
  if (metadata.replacedBy) return `was replaced by another order${filled}`
  return `was cancelled${metadata.cancelledBy ? ' on-chain' : ''}${filled}`
}

const describeShortfall = ({ shortfall }: z.output<z.ZodObject<typeof shortfallShape>>): string => {
  const { lacks, needed, available } = shortfall
  const texts = [needed, available].map(toAmountText)
  // exact amounts when rounding hides the difference
  const [needs, has] = texts[0] === texts[1] ? [needed, available].map(toExactText) : texts
  return lacks === 'balance'
    ? `waits for funds: it needs ${needs}, and the account has ${has}`
    : `waits for an approval: it needs ${needs}, and the vault relayer may move ${has}`
}
