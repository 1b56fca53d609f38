import { createHash } from 'node:crypto'
import { z } from 'zod'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'

export type KeyHolder = {
  tier: string
  /** rate limit key: the beginning of the API key's hash */
  client: string
}

/** Finds the holder of a key; unknown keys are ignored. */
export type FindKeyHolder = (key: string | undefined) => Promise<KeyHolder | undefined>

const tiersSchema = jsonTextSchema.pipe(
  z.record(z.string().regex(/^[0-9a-f]{64}$/), z.string().regex(/^[a-z][a-z0-9_]{0,31}$/)),
)

/**
 * The secret `API_KEYS`: SHA-256 of a key in hex → its tier. The keys themselves are not stored. A fault does not contain
 * its contents.
 */
export const apiKeysSchema = z.string().transform((text, context) => {
  const tiers = tiersSchema.safeParse(text)
  if (tiers.success) return new Map(Object.entries(tiers.data))
  context.addIssue({
    code: 'custom',
    message: 'a JSON object of SHA-256 hashes, 64 lower-case hex digits, and their tiers',
  })
  return z.NEVER
})

/** Tiers by hash. */
export type ApiKeys = z.infer<typeof apiKeysSchema>

/** No valid key is longer; longer ones are not worth hashing. */
const maxKeyLength = 256

/** Keys are looked up by hash, so the duration reveals nothing about valid keys. */
export const connectApiKeys = (tiers: ApiKeys): FindKeyHolder => {
  return async (key) => {
    if (!key || key.length > maxKeyLength) return undefined
    const hash = createHash('sha256').update(key).digest('hex')
    const tier = tiers.get(hash)
    return tier === undefined ? undefined : { tier, client: `key:${hash.slice(0, 16)}` }
  }
}
