import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { acceptNulls } from '../http/acceptNulls.ts'
import { ApiError } from '../http/errors.ts'
import { fromSchemaError } from '../http/toApiError.ts'
import { affiliateCodeSchema } from '../validation/affiliateCode.ts'
import { addressSchema, amountSchema, bytesSchema, orderUidSchema, uint32Schema } from '../validation/chainValues.ts'

/** Upper bound of the data of a call; the size limit of the document is reached first. */
const maxCallDataBytes = 8_192
const maxUint64 = 2n ** 64n - 1n
const wholeBps = 10_000
/** Maximum number of partner fees: each is a fee policy of its order in every auction. */
const maxPartnerFees = 16

/** A call that an order requests before (`pre`) or after (`post`) its settlement. */
export type Hook = z.output<typeof hookSchema>

export type Hooks = { pre: Hook[]; post: Hook[] }

/** Fee that an order pays to a partner. */
export type PartnerFee = {
  recipient: Address
  kind: 'volume' | 'surplus' | 'priceImprovement'
  /** share of the base that `kind` names, in 1/10000 */
  bps: number
  /** upper bound as a share of the volume, in 1/10000; null with `volume` */
  maxVolumeBps: number | null
}

/** The fields of an app data document that the order book uses; all other fields belong to the client. */
export type ParsedAppData = {
  /** the owner, when it differs from the sender */
  signer: Address | null
  /** first second in which the order may enter an auction, Unix */
  validFrom: number | null
  /** UID of the order to replace */
  replacedOrder: Hex | null
  partnerFees: PartnerFee[]
  /** affiliate code of the trader's referrer, in capitals */
  referrerCode: string | null
  hooks: Hooks
  /** null: the order names none */
  flashloan: FlashloanHint | null
  /** contracts through which the settlement is called, outermost first */
  wrappers: Wrapper[]
}

/**
 * A loan that a solver may take for the order: `receiver` has `amount` additional atoms of `token` during the
 * settlement.
 */
export type FlashloanHint = z.output<typeof flashloanSchema>

/** A contract through which the settlement is called; it may supply the sell tokens. */
export type Wrapper = z.output<typeof wrapperSchema>

const hookSchema = z.object({
  target: addressSchema,
  callData: bytesSchema(maxCallDataBytes),
  /** gas units of the call, uint64 */
  gasLimit: amountSchema('InvalidAppData').refine((gas) => gas <= maxUint64, 'at most 2^64 - 1 gas units'),
})

const hookListSchema = z.array(hookSchema, { error: 'a list of hooks' }).nullish()

const hooksSchema = z
  .object({ pre: hookListSchema, post: hookListSchema }, { error: 'a JSON object' })
  .transform(({ pre, post }): Hooks => ({ pre: pre ?? [], post: post ?? [] }))

const bpsMessage = `an integer from 0 to ${wholeBps}`
const bpsSchema = z.number({ error: bpsMessage }).int(bpsMessage).min(0, bpsMessage).max(wholeBps, bpsMessage)

const partnerFeeSchema = acceptNulls(
  z.object(
    {
      recipient: addressSchema,
      bps: bpsSchema.optional(),
      volumeBps: bpsSchema.optional(),
      surplusBps: bpsSchema.optional(),
      priceImprovementBps: bpsSchema.optional(),
      maxVolumeBps: bpsSchema.optional(),
    },
    { error: 'an object with recipient and a fee, or a list of them' },
  ),
).transform(({ recipient, bps, volumeBps, surplusBps, priceImprovementBps, maxVolumeBps }, context): PartnerFee => {
  const volume = [bps, volumeBps].filter((share) => share !== undefined)
  const [share, ...others] = [...volume, surplusBps, priceImprovementBps].filter((given) => given !== undefined)
  const isCapped = maxVolumeBps !== undefined
  if (share === undefined || others.length > 0 || isCapped === volume.length > 0) {
    context.addIssue({
      code: 'custom',
      message: 'recipient and one of volumeBps, surplusBps with maxVolumeBps, priceImprovementBps with maxVolumeBps',
    })
    return z.NEVER
  }
  const kind = volume.length > 0 ? 'volume' : surplusBps !== undefined ? 'surplus' : 'priceImprovement'
  return { recipient, kind, bps: share, maxVolumeBps: maxVolumeBps ?? null }
})

/** One fee or a list of fees. Parsed without a union, so that errors name the invalid member. */
const partnerFeesSchema = z.unknown().transform((value, context): PartnerFee[] => {
  const fees = Array.isArray(value) ? value : [value]
  if (fees.length > maxPartnerFees) {
    context.addIssue({ code: 'custom', message: `at most ${maxPartnerFees} partner fees` })
    return z.NEVER
  }
  return fees.map((fee, index) => {
    const parsed = partnerFeeSchema.safeParse(fee)
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues) {
      context.addIssue({ code: 'custom', path: Array.isArray(value) ? [index, ...path] : path, message })
    }
    return z.NEVER
  })
})

/** Documents before version 1.14 have an address here. An invalid code is ignored rather than rejecting the order. */
const referrerSchema = z
  .object({ code: affiliateCodeSchema })
  .transform(({ code }) => code)
  .nullish()
  .catch(null)

const flashloanSchema = z.object(
  {
    liquidityProvider: addressSchema,
    protocolAdapter: addressSchema,
    receiver: addressSchema,
    token: addressSchema,
    amount: amountSchema('InvalidAppData'),
  },
  { error: 'a JSON object' },
)

const wrapperSchema = z.object({
  address: addressSchema,
  data: bytesSchema(maxCallDataBytes),
  /** whether the order can settle without it */
  isOmittable: z
    .boolean({ error: 'true or false' })
    .nullish()
    .transform((isOmittable) => isOmittable ?? false),
})

const metadataSchema = z.object(
  {
    signer: addressSchema.nullish(),
    validFrom: uint32Schema.nullish(),
    replacedOrder: z.object({ uid: orderUidSchema }, { error: 'an object with the uid of an order' }).nullish(),
    partnerFee: partnerFeesSchema.nullish(),
    referrer: referrerSchema,
    hooks: hooksSchema.nullish(),
    flashloan: flashloanSchema.nullish(),
    wrappers: z.array(wrapperSchema, { error: 'a list of wrappers' }).nullish(),
    enableFastPath: z.literal(false, { error: 'false: this deployment has no fast path' }).nullish(),
  },
  { error: 'a JSON object' },
)

const documentSchema = z.object(
  {
    metadata: metadataSchema.nullish(),
    /** position of hooks in documents older than `metadata.hooks` */
    backend: z.object({ hooks: hooksSchema.nullish() }, { error: 'a JSON object' }).nullish(),
  },
  { error: 'a JSON object' },
)

/**
 * Parses an app data document. Unknown keys belong to the client.
 * @param field of the request that has the document, for the error
 * @throws ApiError `InvalidAppData` with field, expected and received value, unless the document is a JSON object in
 *   which every known key has its type
 */
export const parseAppData = (document: string, field = 'appData'): ParsedAppData => {
  const root = parseJson(document)
  const { success, data, error } = documentSchema.safeParse(root)
  if (!success) {
    if (error.issues[0]?.path.length === 0) throw buildNoObject(document, field)
    const { message, data: facts } = fromSchemaError(error, root)
    throw new ApiError('InvalidAppData', {
      description: `the app data document is invalid: ${message}`,
      data: facts ?? {},
    })
  }
  const { metadata, backend } = data
  return {
    signer: metadata?.signer ?? null,
    validFrom: metadata?.validFrom ?? null,
    replacedOrder: metadata?.replacedOrder?.uid ?? null,
    partnerFees: metadata?.partnerFee ?? [],
    referrerCode: metadata?.referrer ?? null,
    hooks: (metadata ? metadata.hooks : backend?.hooks) ?? { pre: [], post: [] },
    flashloan: metadata?.flashloan ?? null,
    wrappers: metadata?.wrappers ?? [],
  }
}

const maxEchoedLength = 120

const buildNoObject = (document: string, field: string): ApiError => {
  const [expected, got] = ['a JSON object as text', document.slice(0, maxEchoedLength).toWellFormed()]
  return new ApiError('InvalidAppData', {
    description: `the app data document must be ${expected}; got ${JSON.stringify(got)}`,
    data: { field, expected, got },
  })
}

/** A lone surrogate has no UTF-8 bytes, so a text with one has no hash. */
const parseJson = (document: string): unknown => {
  try {
    return document.isWellFormed() ? JSON.parse(document) : undefined
  } catch {
    return undefined
  }
}
