import { z } from '@hono/zod-openapi'
import { addressSchema, amountSchema, hashInputSchema, uint32Schema } from '#shared/validation/chainValues.ts'
import { oneOf } from '#shared/validation/oneOf.ts'

const atomsSchema = amountSchema()
  .refine((amount) => amount > 0n, 'greater than zero')
  .openapi({ type: 'string', pattern: '^\\d+$', example: '1000000000000000000' })
const gasSchema = z.number({ error: 'an integer of gas units' }).int('an integer of gas units').nonnegative()
const slippageMessage = 'an integer from 0 to 9999, or "auto"'
const slippageSchema = z.union([z.literal('auto'), z.number().int().min(0).max(9_999)], { error: slippageMessage })
const partnerFeeMessage = 'an integer from 0 to 10000'
const partnerFeeSchema = z
  .number({ error: partnerFeeMessage })
  .int(partnerFeeMessage)
  .min(0, partnerFeeMessage)
  .max(10_000, partnerFeeMessage)
const booleanLikeSchema = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'true or false' })
  .transform((value) => value === true || value === 'true')
  .openapi({ type: 'boolean' })

/** Shortest time in which solvers and the node can respond, milliseconds. */
export const minTimeoutMs = 500

/** Fields of every request. Unknown fields are ignored. */
const commonFields = {
  sellToken: addressSchema,
  buyToken: addressSchema,
  from: addressSchema.openapi({ description: 'the owner; the zero address when no wallet is connected' }),
  receiver: addressSchema.nullish().transform((receiver) => receiver ?? null),
  validTo: uint32Schema.optional().openapi({ description: 'last valid second, Unix time; not with validFor' }),
  validFor: uint32Schema.optional().openapi({ description: 'seconds from now, 1800 by default; not with validTo' }),
  appData: z.string({ error: 'a JSON document as text, or its hash' }).optional().openapi({
    description:
      'a JSON document as text, or its hash. The hash of an unknown document is quoted without hooks and partner fees, unverified',
  }),
  appDataHash: hashInputSchema.optional().openapi({ description: 'keccak-256 of appData, which is then required' }),
  fullAppData: z
    .string({ error: 'a JSON document as text' })
    .optional()
    .openapi({ description: 'the document, when appData is its hash' }),
  sellTokenBalance: oneOf('erc20', 'internal', 'external').default('erc20'),
  buyTokenBalance: oneOf('erc20', 'internal').default('erc20'),
  priceQuality: oneOf('fast', 'optimal', 'verified').default('verified').openapi({
    description:
      'fast: the first offers, not simulated. optimal and verified: the best of all offers, simulation-confirmed ones first; refuted offers are never returned',
  }),
  signingScheme: oneOf('eip712', 'ethsign', 'presign', 'eip1271').default('eip712'),
  onchainOrder: booleanLikeSchema.default(false),
  verificationGasLimit: gasSchema.optional().openapi({ description: 'gas of the signature check, eip1271 only' }),
  slippageBps: slippageSchema.optional().openapi({
    description:
      'basis points from the quote to the limit of the order to sign, 50 by default. "auto": computed from the network fee and recent changes of the gas price and of the pair price; the response states the value',
  }),
  partnerFeeBps: partnerFeeSchema.optional().openapi({
    description:
      "partner's share of the volume included in amounts.afterPartnerFee and signable, at most the share that this deployment allows. It is charged only if the app data of the order names it; if the app data has a volume fee, both must be equal",
  }),
  timeout: uint32Schema.nullish().openapi({
    description: `milliseconds: shortens the default; a value below ${minTimeoutMs} means ${minTimeoutMs}`,
  }),
}

/** A size field of the other kind: only its absence is checked. */
const otherSizeSchema = z.unknown().optional()

const sellSchema = z.object({
  ...commonFields,
  kind: z.literal('sell'),
  sellAmountBeforeFee: atomsSchema.optional().openapi({
    description: 'amount to sell including the network fee; give exactly one size field',
  }),
  sellAmountAfterFee: atomsSchema.optional().openapi({ description: 'exact amount to sell, without the network fee' }),
  buyAmountAfterFee: otherSizeSchema.openapi({ description: 'only with kind buy' }),
})

const buySchema = z.object({
  ...commonFields,
  kind: z.literal('buy'),
  buyAmountAfterFee: atomsSchema.openapi({ description: 'exact amount to buy' }),
  sellAmountBeforeFee: otherSizeSchema.openapi({ description: 'only with kind sell' }),
  sellAmountAfterFee: otherSizeSchema.openapi({ description: 'only with kind sell' }),
})

const sizeFields = ['sellAmountBeforeFee', 'sellAmountAfterFee', 'buyAmountAfterFee'] as const

/**
 * The amount that the client fixed, atoms.
 * - `sellBeforeFee`: sell tokens including the network fee
 * - `sellAfterFee`: sell tokens to swap; the network fee is added
 * - `buy`: buy tokens; the network fee is added to the sell amount
 */
export type QuoteSize = { of: 'sellBeforeFee' | 'sellAfterFee' | 'buy'; amount: bigint }

/** Body of POST quote: exactly one size, at most one expiry. */
export const quoteRequestSchema = z
  .discriminatedUnion('kind', [sellSchema, buySchema], {
    error: (issue) => (issue.path?.length ? 'sell or buy' : undefined),
  })
  .superRefine((request, context) => {
    const reject = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    const { signingScheme } = request
    const [size, otherSize] = sizeFields.filter((field) => request[field] !== undefined && request[field] !== null)
    if (size && otherSize) reject(otherSize, `cannot be combined with ${size}; give one size`)
    if (request.kind === 'sell' && !request.sellAmountBeforeFee && !request.sellAmountAfterFee) {
      reject('sellAmountBeforeFee', 'give sellAmountBeforeFee or sellAmountAfterFee')
    }
    if (request.validTo !== undefined && request.validFor !== undefined) {
      reject('validFor', 'cannot be combined with validTo; give one expiry')
    }
    if (request.appDataHash && request.appData === undefined) reject('appData', 'required with appDataHash')
    if (request.onchainOrder && (signingScheme === 'eip712' || signingScheme === 'ethsign')) {
      reject('onchainOrder', 'only with the signing schemes presign and eip1271')
    }
    if (request.verificationGasLimit !== undefined && signingScheme !== 'eip1271') {
      reject('verificationGasLimit', 'only with the signing scheme eip1271')
    }
  })
  .transform((request) => ({ ...request, size: toSize(request) }))
  .openapi('QuoteRequest')

export type QuoteRequest = z.output<typeof quoteRequestSchema>

const toSize = (request: z.output<typeof sellSchema> | z.output<typeof buySchema>): QuoteSize => {
  if (request.kind === 'buy') return { of: 'buy', amount: request.buyAmountAfterFee }
  if (request.sellAmountBeforeFee) return { of: 'sellBeforeFee', amount: request.sellAmountBeforeFee }
  return { of: 'sellAfterFee', amount: request.sellAmountAfterFee ?? 0n }
}
