import { z } from '@hono/zod-openapi'
import { zeroAddress } from 'viem'
import { addressSchema, amountSchema, bytesSchema, hashInputSchema, uint32Schema } from '../validation/chainValues.ts'
import { oneOf } from '../validation/oneOf.ts'

const maxSignatureBytes = 8_192

const booleanSchema = z.boolean({ error: 'true or false' })

/** Body of POST orders: a signed order. Unknown fields are ignored, so that a quote can be posted back unchanged. */
export const orderCreationSchema = z
  .object({
    sellToken: addressSchema,
    buyToken: addressSchema.openapi({ description: '0xeeee…eeee: the native token' }),
    receiver: addressSchema
      .nullish()
      .transform((receiver) => (!receiver || receiver === zeroAddress ? null : receiver))
      .openapi({ description: 'recipient of the buy token; the owner by default' }),
    sellAmount: amountSchema('SellAmountOverflow'),
    buyAmount: amountSchema('BuyAmountOverflow'),
    validTo: uint32Schema.openapi({ description: 'last valid second, Unix time' }),
    feeAmount: amountSchema().openapi({
      description:
        'sell token atoms on top of sellAmount: 0, or the feeAmount of the live quote that quoteId names, with its amounts unchanged',
    }),
    kind: oneOf('sell', 'buy'),
    partiallyFillable: booleanSchema.default(false),
    sellTokenBalance: oneOf('erc20', 'internal', 'external').default('erc20'),
    buyTokenBalance: oneOf('erc20', 'internal').default('erc20'),
    from: addressSchema.nullish().openapi({ description: 'the owner; required with presign and eip1271' }),
    signingScheme: oneOf('eip712', 'ethsign', 'presign', 'eip1271'),
    signature: bytesSchema(maxSignatureBytes).openapi({
      description:
        'eip712, ethsign: 65 bytes r, s, v · presign: empty, or the owner · eip1271: bytes for the owner contract',
    }),
    quoteId: z.number({ error: 'an integer' }).int('an integer').nullish(),
    appData: z
      .string({ error: 'a JSON document as text, or its hash' })
      .openapi({ description: 'a JSON document as text, or the hash of one that was uploaded' }),
    appDataHash: hashInputSchema.nullish().openapi({ description: 'keccak-256 of the document in appData' }),
    fullAppData: z.string({ error: 'a JSON document as text' }).nullish().openapi({
      description: 'the document, when appData is its hash, as in returned orders and in signable',
    }),
    fullBalanceCheck: booleanSchema.default(false).openapi({
      description: 'require the full sell amount for partially fillable orders, too',
    }),
  })
  .openapi('OrderCreation')

export type OrderCreation = z.output<typeof orderCreationSchema>
