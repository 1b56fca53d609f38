import { z } from 'zod'
import { setting } from '../settings/setting.ts'
import { addressSchema } from '../validation/chainValues.ts'
import { jsonTextSchema } from '../validation/settingFormats.ts'
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

/** The settings of protocol and partner fees (docs/fees.md). Quotes and auctions of a network must have the same values. */
export const feeSettings = {
  FEE_POLICIES: setting(jsonTextSchema.pipe(policiesSchema), {
    description:
      'fee policies in the order of application: `{"kind":"surplus","orderClass":"limit","factor":0.5,"maxVolumeFactor":0.01}`; a JSON array',
    scope: 'network',
    default: '[]',
  }),
  FEE_POLICIES_UPCOMING: setting(
    jsonTextSchema.pipe(z.strictObject({ from: secondsSchema, policies: policiesSchema })),
    {
      description: 'replaces `FEE_POLICIES` from a Unix second on: `{"from":1790000000,"policies":[…]}`',
      scope: 'network',
      absent: 'no change',
    },
  ),
  VOLUME_FEE_BPS: setting(bpsSchema, {
    description: 'volume fee of all orders, before all other fees, with at most two decimals',
    scope: 'network',
    unit: 'bps',
    absent: 'no volume fee',
  }),
  VOLUME_FEE_FROM: setting(z.coerce.number().int().nonnegative(), {
    description: 'begin of `VOLUME_FEE_BPS`',
    scope: 'network',
    unit: 'Unix s',
    default: '0',
  }),
  VOLUME_FEE_BUCKETS: setting(bucketsSchema, {
    description: 'volume fees of trades within a set of tokens: `{"tokens":["0x…","0x…"],"bps":"0.3"}`; a JSON array',
    scope: 'network',
    default: '[]',
  }),
  MAX_PARTNER_FEE_BPS: setting(bpsSchema, {
    description: 'limit of all partner fees of an order together, of its volume',
    scope: 'network',
    unit: 'bps',
    default: '100',
  }),
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
