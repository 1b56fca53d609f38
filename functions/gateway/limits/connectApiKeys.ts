import { z } from 'zod'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'

export type KeyHolder = {
  tier: string
  /** rate limit key: the beginning of the API key's hash */
  client: string
}

/** Finds the holder of a key; unknown keys are ignored. */
export type FindKeyHolder = (key: string | undefined) => Promise<KeyHolder | undefined>

/** The secret `API_KEYS`: SHA-256 of a key in hex → its tier. The keys themselves are not stored. */
const apiKeysSchema = jsonTextSchema.pipe(
  z.record(z.string().regex(/^[0-9a-f]{64}$/), z.string().regex(/^[a-z][a-z0-9_]{0,31}$/)),
)

/** No valid key is longer; longer ones are not worth hashing. */
const maxKeyLength = 256

/**
 * Keys are looked up by hash, so the duration reveals nothing about valid keys.
 * @throws Error when `API_KEYS` is malformed; the message does not contain its contents
 */
export const connectApiKeys = (text: string | undefined): FindKeyHolder => {
  if (text === undefined) return async () => undefined
  const parsed = apiKeysSchema.safeParse(text)
  if (!parsed.success) throw new Error('API_KEYS is malformed: a JSON object of SHA-256 hashes in hex and their tiers')
  const tiers = new Map(Object.entries(parsed.data))
  return async (key) => {
    if (!key || key.length > maxKeyLength) return undefined
    const hash = await computeHash(key)
    const tier = tiers.get(hash)
    return tier === undefined ? undefined : { tier, client: `key:${hash.slice(0, 16)}` }
  }
}

const computeHash = async (key: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
