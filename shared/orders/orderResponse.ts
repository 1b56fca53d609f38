import { z } from '@hono/zod-openapi'
import { toDecimalText } from '../amounts/toDecimalText.ts'
import type { ORDER_APP_DATA } from '../settings/orderRuleSettings.ts'
import {
  addressSchema,
  amountTextSchema,
  bytesSchema,
  hashSchema,
  orderUidSchema,
  uint32Schema,
} from '../validation/chainValues.ts'
import { computeOrderStatus } from './computeOrderStatus.ts'
import { computeUsable } from './computeUsable.ts'
import type { StoredOrder, StoredOrderQuote } from './storedOrder.ts'

const anyBytesSchema = bytesSchema(16 * 1024)
/** 24 KiB: the hooks of a document of 8 KiB take less than three times its size */
const interactionSchema = z.object({ target: addressSchema, value: amountTextSchema, callData: bytesSchema(24 * 1024) })

/** Content of `appData` in returned orders: the document if known, or always its hash. */
export type OrderAppData = z.output<typeof ORDER_APP_DATA>

/** Fields of an order that filters of its lists have, too. */
export const filteredFields = {
  kind: z.enum(['sell', 'buy']),
  status: z.enum(['presignaturePending', 'open', 'fulfilled', 'cancelled', 'expired']),
}

/** Order schema of all routes (interface specification, Order). */
export const orderResponseSchema = z
  .object({
    sellToken: addressSchema,
    buyToken: addressSchema,
    receiver: addressSchema.nullable().openapi({ description: 'null: the owner' }),
    sellAmount: amountTextSchema,
    buyAmount: amountTextSchema,
    feeAmount: amountTextSchema,
    validTo: uint32Schema,
    validFrom: uint32Schema
      .optional()
      .openapi({ description: 'first second in which auctions include the order; absent: immediately' }),
    kind: filteredFields.kind,
    partiallyFillable: z.boolean(),
    sellTokenBalance: z.enum(['erc20', 'internal', 'external']),
    buyTokenBalance: z.enum(['erc20', 'internal']),
    signingScheme: z.enum(['eip712', 'ethsign', 'presign', 'eip1271']),
    signature: anyBytesSchema,
    appData: z.string().openapi({
      description:
        'the document when it is known, else its hash; always the hash of an order placed on-chain, and of every order where ' +
        'the operator has set ORDER_APP_DATA=hash',
    }),
    appDataHash: hashSchema,
    fullAppData: z.string().nullable(),
    creationDate: z.iso.datetime(),
    class: z.enum(['market', 'limit', 'liquidity']).openapi({
      description: 'market: the order signs a fee · limit: feeAmount is 0 · liquidity: supplied by a solver',
    }),
    owner: addressSchema,
    from: addressSchema,
    settlementContract: addressSchema,
    uid: orderUidSchema,
    executedSellAmount: amountTextSchema.openapi({
      description: 'sell atoms that left the owner, all fees included',
    }),
    executedSellAmountBeforeFees: amountTextSchema,
    executedBuyAmount: amountTextSchema,
    executedFeeAmount: amountTextSchema.openapi({
      description: 'signed fee taken, sell token atoms: part of executedSellAmount',
    }),
    executedFee: amountTextSchema.openapi({
      description: 'network and protocol fees in the price, atoms of executedFeeToken; excludes executedFeeAmount',
    }),
    executedFeeToken: addressSchema,
    invalidated: z.boolean().openapi({ description: 'cancelled off-chain or on-chain' }),
    status: filteredFields.status,
    quoteId: z.number().int().nullable(),
    fullBalanceCheck: z.boolean(),
    availableBalance: amountTextSchema.nullable().openapi({
      description:
        'of an open order: sell token atoms that it could use of its balance and allowance at the last cut, at admission before ' +
        'that; null once it is not open',
    }),
    isLiquidityOrder: z.boolean(),
    interactions: z
      .object({ pre: z.array(interactionSchema), post: z.array(interactionSchema) })
      .openapi({ description: 'calls of its settlements: pre before the first trade, post after each' }),
    onchainUser: addressSchema.optional().openapi({ description: 'who had a contract place it on-chain' }),
    onchainOrderData: z
      .object({
        sender: addressSchema,
        placementError: z
          .enum(['preValidationError', 'nonZeroFee', 'other', 'reorged', 'QuoteNotFound'])
          .nullable()
          .openapi({
            description:
              'why it never enters an auction; only with QuoteNotFound, an unknown quote id, it is traded all the same',
          }),
      })
      .optional()
      .openapi({ description: 'only of orders that a contract placed on-chain' }),
    ethflowData: z
      .object({
        userValidTo: uint32Schema.openapi({ description: 'when it expires; validTo is what the contract signed' }),
        refundTxHash: hashSchema.nullable(),
        isRefunded: z.boolean(),
      })
      .optional()
      .openapi({ description: 'only of orders that sell the native token' }),
    quote: z
      .object({
        gasAmount: z.string(),
        gasPrice: z.string(),
        sellTokenPrice: z.string(),
        sellAmount: amountTextSchema,
        buyAmount: amountTextSchema,
        feeAmount: amountTextSchema,
        solver: addressSchema,
        verified: z.boolean(),
        metadata: z.record(z.string(), z.unknown()).openapi({
          description:
            'the plan of the quoting solver; empty while the order can fill, and once it is archived: the debug report has it then',
        }),
      })
      .optional(),
  })
  .openapi('Order')

export type OrderResponse = z.output<typeof orderResponseSchema>

/**
 * An order on its way out.
 * @param now Unix seconds
 * @param appDataAs `ORDER_APP_DATA`
 */
export const toOrderResponse = (
  order: StoredOrder,
  now: number,
  appDataAs: OrderAppData = 'document',
): OrderResponse => {
  const status = computeOrderStatus(order, now)
  const fillable = status === 'open' || status === 'presignaturePending'
  return {
    sellToken: order.sellToken,
    buyToken: order.buyToken,
    receiver: order.receiver,
    sellAmount: order.sellAmount.toString(),
    buyAmount: order.buyAmount.toString(),
    feeAmount: order.feeAmount.toString(),
    validTo: order.validTo,
    ...(order.validFrom === null ? {} : { validFrom: order.validFrom }),
    kind: order.kind,
    partiallyFillable: order.partiallyFillable,
    sellTokenBalance: order.sellTokenBalance,
    buyTokenBalance: order.buyTokenBalance,
    signingScheme: order.signingScheme,
    signature: order.signature,
    appData: (order.onchainUser === null && appDataAs === 'document' ? order.fullAppData : null) ?? order.appDataHash,
    appDataHash: order.appDataHash,
    fullAppData: order.fullAppData,
    creationDate: order.createdAt.toISOString(),
    class: toPublicClass(order),
    owner: order.owner,
    from: order.owner,
    settlementContract: order.settlementContract,
    uid: order.uid,
    executedSellAmount: order.executedSellAmount.toString(),
    executedSellAmountBeforeFees: (order.executedSellAmount - order.executedFeeAmount).toString(),
    executedBuyAmount: order.executedBuyAmount.toString(),
    executedFeeAmount: order.executedFeeAmount.toString(),
    executedFee: order.executedFee.toString(),
    executedFeeToken: order.sellToken,
    invalidated: order.cancelledAt !== null || order.invalidated,
    status,
    quoteId: order.quoteId,
    fullBalanceCheck: order.fullBalanceCheck,
    availableBalance: status === 'open' ? computeAvailable(order).toString() : null,
    isLiquidityOrder: order.class === 'liquidity',
    interactions: { pre: order.preInteractions, post: order.postInteractions },
    ...toOnchainResponse(order),
    ...(order.quote ? { quote: toQuoteResponse(order.quote, fillable) } : {}),
  }
}

/**
 * The class as the public system and its front ends know it: only an order that signs a fee is `market`. The stored class says
 * whether the order matched its quote, which decides about fee policies and the bounds of its owner.
 */
const toPublicClass = (order: Pick<StoredOrder, 'class' | 'feeAmount'>): StoredOrder['class'] => {
  if (order.class === 'liquidity') return 'liquidity'
  return order.feeAmount === 0n ? 'limit' : 'market'
}

/** A contract that signs by EIP-1271 may get the tokens within the settlement only, so cuts read its funds only when it may be filled in parts. */
const computeAvailable = (order: StoredOrder): bigint => {
  const unread = order.signingScheme === 'eip1271' ? order.sellAmount + order.feeAmount : 0n
  return computeUsable(order, order.availableBalance ?? unread)
}

const toOnchainResponse = ({
  onchainUser,
  userValidTo,
  placementError,
  quoteNotFound,
  refundTransactionHash,
}: StoredOrder) => ({
  ...(onchainUser === null
    ? {}
    : {
        onchainUser,
        onchainOrderData: {
          sender: onchainUser,
          placementError: placementError ?? (quoteNotFound ? ('QuoteNotFound' as const) : null),
        },
      }),
  ...(userValidTo === null
    ? {}
    : {
        ethflowData: { userValidTo, refundTxHash: refundTransactionHash, isRefunded: refundTransactionHash !== null },
      }),
})

/** The plan behind a quote would let others trade ahead of the order, so it stays hidden while the order can fill. */
const toQuoteResponse = (quote: StoredOrderQuote, fillable: boolean) => ({
  gasAmount: quote.gasAmount.toString(),
  gasPrice: quote.gasPrice.toString(),
  sellTokenPrice: toDecimalText(quote.sellTokenPrice),
  sellAmount: quote.sellAmount.toString(),
  buyAmount: quote.buyAmount.toString(),
  feeAmount: quote.feeAmount.toString(),
  solver: quote.solver,
  verified: quote.verified,
  metadata: fillable ? {} : toObject(quote.metadata),
})

const toObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
