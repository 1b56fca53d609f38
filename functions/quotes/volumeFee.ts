import type { Address } from 'viem'
import { z } from 'zod'
import { addressSchema } from '#shared/validation/address.ts'

/** Share of the traded volume that the protocol takes from market orders, in millionths. */
export type VolumeFee = {
  /** undefined: no fee is configured */
  ppm: bigint | undefined
  /** first second in which the fee applies, Unix time */
  from: number
  /** other shares for pairs whose two tokens are both in the list; the first such bucket counts */
  buckets: readonly { tokens: ReadonlySet<Address>; ppm: bigint }[]
}

/** Basis points with at most two decimals, below the whole; comes out in millionths. */
const bpsSchema = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,2})?$/, 'basis points below 10000 with at most two decimals')
  .transform((text) => {
    const [whole = '0', decimals = ''] = text.split('.')
    return BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'))
  })

const bucketsSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'not valid JSON' })
      return z.NEVER
    }
  })
  .pipe(
    z.array(
      z
        .object({ tokens: z.array(addressSchema).min(2), bps: bpsSchema })
        .transform(({ tokens, bps }) => ({ tokens: new Set(tokens), ppm: bps })),
    ),
  )

/** The settings of the volume fee, for example `VOLUME_FEE_BUCKETS=[{"tokens":["0x…","0x…"],"bps":"0.3"}]`. */
export const volumeFeeSettings = {
  VOLUME_FEE_BPS: bpsSchema.optional(),
  VOLUME_FEE_FROM: z.coerce.number().int().nonnegative().default(0),
  VOLUME_FEE_BUCKETS: bucketsSchema.default([]),
}

/**
 * The share that a trade of two tokens pays.
 * @param now Unix seconds
 * @returns millionths of the volume; undefined when no fee applies
 */
export const computeVolumeFeePpm = (
  { ppm, from, buckets }: VolumeFee,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  now: number,
): bigint | undefined => {
  if (ppm === undefined || now < from) return undefined
  const bucket = buckets.find(({ tokens }) => tokens.has(sellToken) && tokens.has(buyToken))
  return bucket ? bucket.ppm : ppm
}

/** @returns basis points with at most two decimals and no trailing zeros, as `protocolFeeBps` says them */
export const toBpsText = (ppm: bigint): string => {
  const decimals = (ppm % 100n).toString().padStart(2, '0').replace(/0+$/, '')
  return decimals === '' ? (ppm / 100n).toString() : `${ppm / 100n}.${decimals}`
}
