import { z } from '@hono/zod-openapi'
import { zeroAddress } from 'viem'
import type { Network } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import type { Order } from '#shared/signing/order.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { domainType, typedDomainSchema, typedMembersSchema } from '#shared/signing/typedDomain.ts'
import { amountTextSchema } from '#shared/validation/chainValues.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'

const signableOrderSchema = z
  .object({
    sellToken: z.string(),
    buyToken: z.string(),
    receiver: z.string().openapi({ description: 'the zero address stands for the owner' }),
    sellAmount: amountTextSchema,
    buyAmount: amountTextSchema,
    validTo: z.number().int(),
    appData: z.string().openapi({ description: 'the hash of the document' }),
    feeAmount: amountTextSchema.openapi({ description: 'always 0: fees are part of the price' }),
    kind: z.enum(['sell', 'buy']),
    partiallyFillable: z.boolean(),
    sellTokenBalance: z.enum(['erc20', 'internal', 'external']),
    buyTokenBalance: z.enum(['erc20', 'internal']),
  })
  .openapi('SignableOrder', { description: 'the twelve signed members' })

export const signableSchema = z
  .object({
    order: signableOrderSchema,
    fullAppData: z.string().nullable().openapi({
      description:
        'document of order.appData: send it beside the order, as fullAppData of POST orders. null: the request had only the hash of an unknown document',
    }),
    typedData: z
      .object({
        domain: typedDomainSchema,
        types: z.object({ EIP712Domain: typedMembersSchema, Order: typedMembersSchema }),
        primaryType: z.literal('Order'),
        message: signableOrderSchema,
      })
      .openapi({ description: 'the argument of eth_signTypedData_v4' }),
    digest: z.string().openapi({ description: 'EIP-712 digest of typedData' }),
    orderUid: z
      .string()
      .nullable()
      .openapi({ description: 'UID that the order will have; null while `from` is the zero address' }),
  })
  .openapi('Signable')

export type Signable = z.infer<typeof signableSchema>

/** `GPv2Order.Data` of the settlement contract, in the contract's order. */
const orderType = [
  { name: 'sellToken', type: 'address' },
  { name: 'buyToken', type: 'address' },
  { name: 'receiver', type: 'address' },
  { name: 'sellAmount', type: 'uint256' },
  { name: 'buyAmount', type: 'uint256' },
  { name: 'validTo', type: 'uint32' },
  { name: 'appData', type: 'bytes32' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'kind', type: 'string' },
  { name: 'partiallyFillable', type: 'bool' },
  { name: 'sellTokenBalance', type: 'string' },
  { name: 'buyTokenBalance', type: 'string' },
]

/**
 * Order for a quote, ready to sign: fill-or-kill, without a signed fee, with the limit as its amounts.
 * @param limit the last rung of the quote's ladder, atoms
 */
export const toSignable = (
  { chainId, settlementContract }: Pick<Network, 'chainId' | 'settlementContract'>,
  { request, validTo, appData }: PreparedRequest,
  limit: { sellAmount: bigint; buyAmount: bigint },
): Signable => {
  const order: Order = {
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    receiver: request.receiver ?? zeroAddress,
    ...limit,
    validTo,
    appDataHash: appData.appDataHash,
    feeAmount: 0n,
    kind: request.kind,
    partiallyFillable: false,
    sellTokenBalance: request.sellTokenBalance,
    buyTokenBalance: request.buyTokenBalance,
  }
  const digest = computeOrderDigest(computeDomainSeparator(chainId, settlementContract), order)
  const message = toMessage(order)
  return {
    order: message,
    fullAppData: appData.fullAppData,
    typedData: {
      domain: { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract: settlementContract },
      types: { EIP712Domain: domainType, Order: orderType },
      primaryType: 'Order',
      message,
    },
    digest,
    orderUid: request.from === zeroAddress ? null : packOrderUid(digest, request.from, validTo),
  }
}

/** The signed members under their names in the contract, amounts as decimal strings. */
const toMessage = ({ appDataHash, sellAmount, buyAmount, feeAmount, ...order }: Order): Signable['order'] => ({
  sellToken: order.sellToken,
  buyToken: order.buyToken,
  receiver: order.receiver,
  sellAmount: sellAmount.toString(),
  buyAmount: buyAmount.toString(),
  validTo: order.validTo,
  appData: appDataHash,
  feeAmount: feeAmount.toString(),
  kind: order.kind,
  partiallyFillable: order.partiallyFillable,
  sellTokenBalance: order.sellTokenBalance,
  buyTokenBalance: order.buyTokenBalance,
})
