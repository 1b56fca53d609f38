import { z } from 'zod'
import { addressSchema } from '../validation/address.ts'
import { jsonTextSchema } from '../validation/jsonText.ts'
import type { FeeRule, FeeRules } from './feeRules.ts'

/** Basis points below 10,000 with at most two decimals, parsed to millionths. */
const bpsSchema = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,2})?$/, 'basis points below 10000 with at most two decimals')
  .transform((text) => {
    const [whole = '0', decimals = ''] = text.split('.')
    return BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'))
  })

const toFactor = (ppm: bigint): number => Number(ppm) / 1e6

const bucketsSchema = jsonTextSchema.pipe(
  z.array(
    z
      .strictObject({ tokens: z.array(addressSchema).min(2), bps: bpsSchema })
      .transform(({ tokens, bps }) => ({ tokens: new Set(tokens), factor: toFactor(bps) })),
  ),
)

const factorSchema = z.number().min(0).lt(1)
const orderClassSchema = z.enum(['market', 'limit', 'any'])
const cappedFields = { orderClass: orderClassSchema, factor: factorSchema, maxVolumeFactor: factorSchema }

/** Strict: a misspelt bound must not be ignored. */
const policiesSchema = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('surplus'), ...cappedFields }),
    z.strictObject({ kind: z.literal('priceImprovement'), ...cappedFields }),
    z
      .strictObject({ kind: z.literal('volume'), orderClass: orderClassSchema, factor: factorSchema })
      .transform((policy) => ({ ...policy, maxVolumeFactor: 0 })),
  ]),
)

const secondsSchema = z.number().int().nonnegative()

/**
 * The settings of protocol and partner fees. Quotes and auctions of a network must have the same values.
 *
 * | Setting | Example |
 * |---|---|
 * | `FEE_POLICIES` | `[{"kind":"surplus","orderClass":"limit","factor":0.5,"maxVolumeFactor":0.01}]` |
 * | `FEE_POLICIES_UPCOMING` | `{"from":1790000000,"policies":[…]}`: replaces `FEE_POLICIES` from that time on |
 * | `VOLUME_FEE_BPS`, `VOLUME_FEE_FROM` | `2`, `1790000000`: a volume fee of all orders, before all other fees |
 * | `VOLUME_FEE_BUCKETS` | `[{"tokens":["0x…","0x…"],"bps":"0.3"}]` |
 * | `MAX_PARTNER_FEE_BPS` | `100`, of the volume |
 */
export const feeSettings = {
  FEE_POLICIES: jsonTextSchema.pipe(policiesSchema).default([]),
  FEE_POLICIES_UPCOMING: jsonTextSchema
    .pipe(z.strictObject({ from: secondsSchema, policies: policiesSchema }))
    .optional(),
  VOLUME_FEE_BPS: bpsSchema.optional(),
  VOLUME_FEE_FROM: z.coerce.number().int().nonnegative().default(0),
  VOLUME_FEE_BUCKETS: bucketsSchema.default([]),
  MAX_PARTNER_FEE_BPS: bpsSchema.default(10_000n),
}

const feeSettingsSchema = z.object(feeSettings)
type FeeSettings = z.infer<typeof feeSettingsSchema>

/**
 * The last step of parsing `feeSettings`. Rejects two volume fees that apply to an order at the same time, because a quote can
 * announce only one.
 */
export const readFeeRules = (settings: FeeSettings, context: z.RefinementCtx): FeeRules => {
  const upcoming = settings.FEE_POLICIES_UPCOMING
  const policies: FeeRule[] = [
    ...toVolumeRule(settings.VOLUME_FEE_BPS, settings.VOLUME_FEE_FROM),
    ...settings.FEE_POLICIES.map((policy) => ({
      ...policy,
      from: 0,
      until: upcoming?.from ?? Number.POSITIVE_INFINITY,
    })),
    ...(upcoming?.policies.map((policy) => ({ ...policy, from: upcoming.from, until: Number.POSITIVE_INFINITY })) ??
      []),
  ]
  const volumeRules = policies.filter(({ kind }) => kind === 'volume')
  if (volumeRules.some((rule, i) => volumeRules.slice(i + 1).some((other) => doOverlap(rule, other)))) {
    const message = 'two volume fees, including VOLUME_FEE_BPS, apply to the same orders at the same time'
    context.addIssue({ code: 'custom', path: ['FEE_POLICIES'], message })
    return z.NEVER
  }
  return { policies, buckets: settings.VOLUME_FEE_BUCKETS, maxPartnerPpm: settings.MAX_PARTNER_FEE_BPS }
}

const toVolumeRule = (ppm: bigint | undefined, from: number): FeeRule[] =>
  ppm === undefined
    ? []
    : [
        {
          kind: 'volume',
          orderClass: 'any',
          factor: toFactor(ppm),
          maxVolumeFactor: 0,
          from,
          until: Number.POSITIVE_INFINITY,
        },
      ]

const doOverlap = (a: FeeRule, b: FeeRule): boolean =>
  (a.orderClass === b.orderClass || a.orderClass === 'any' || b.orderClass === 'any') &&
  a.from < b.until &&
  b.from < a.until
