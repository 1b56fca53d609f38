import { z } from 'zod'
import { type RateLimitName, rateLimitNames } from '#shared/api/routes.ts'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'
import { type ApiKeys, connectApiKeys, type FindKeyHolder } from './connectApiKeys.ts'

export type RateLimit = {
  name: RateLimitName
  /** maximum requests of one client */
  requests: number
  /** length of the window */
  seconds: number
  /** counts one more request under this key: a client on a network */
  isAllowed: (key: string) => Promise<boolean>
}

type LimitsByName = Partial<Record<RateLimitName, RateLimit>>

export type RateLimits = {
  active: LimitsByName
  /** limits of API key holders, by tier; a missing kind has the general limit */
  tiers: Record<string, LimitsByName>
  findKeyHolder: FindKeyHolder
  /** `on`, or `off` with the reason, as shown by `/readyz` */
  states: Record<RateLimitName, string>
}

export const noRateLimits: RateLimits = {
  active: {},
  tiers: {},
  findKeyHolder: async () => undefined,
  states: { quotes: 'off', submissions: 'off', reads: 'off' },
}

const quotaSchema = z.object({
  limit: z.number().int().positive(),
  /** seconds; the platform supports only these windows */
  period: z.union([z.literal(10), z.literal(60)]),
})

/** The setting `RATE_LIMITS`: binding name → configuration of the binding, which has no API to read it. */
const quotasSchema = jsonTextSchema.pipe(z.record(z.string(), quotaSchema))

/** `LIMIT_QUOTES` is the general limit, `LIMIT_QUOTES_PARTNER` that of the tier `partner`. */
const bindingPattern = /^LIMIT_(QUOTES|SUBMISSIONS|READS)(?:_([A-Z][A-Z0-9_]*))?$/

/**
 * Finds the Rate Limiting bindings `LIMIT_QUOTES`, `LIMIT_SUBMISSIONS` and `LIMIT_READS`, those of the tiers, and the
 * setting `RATE_LIMITS`. Limits fail open: one that is not configured, or whose binding is missing or fails, lets
 * requests through.
 * @param apiKeys the setting `API_KEYS`
 */
export const connectRateLimits = (env: object, apiKeys: ApiKeys = new Map()): RateLimits => {
  const bindings = env as Record<string, unknown>
  if (bindings.RATE_LIMITS === undefined) return noRateLimits
  const quotas = quotasSchema.safeParse(bindings.RATE_LIMITS)
  if (!quotas.success) {
    const states = { quotes: malformed, submissions: malformed, reads: malformed }
    return { ...noRateLimits, states }
  }
  const limits: RateLimits = {
    active: {},
    tiers: {},
    findKeyHolder: connectApiKeys(apiKeys),
    states: { ...noRateLimits.states },
  }
  for (const [bindingName, quota] of Object.entries(quotas.data)) {
    const [, kind = '', tier] = bindingPattern.exec(bindingName) ?? []
    const name = rateLimitNames.find((known) => known === kind.toLowerCase())
    const binding = bindings[bindingName]
    if (!name) continue
    if (!tier) limits.states[name] = isRateLimiter(binding) ? 'on' : `off: no binding ${bindingName}`
    if (!isRateLimiter(binding)) continue
    const isAllowed = async (key: string) => (await binding.limit({ key })).success
    const limit = { name, requests: quota.limit, seconds: quota.period, isAllowed }
    if (!tier) limits.active[name] = limit
    else limits.tiers[tier.toLowerCase()] = { ...limits.tiers[tier.toLowerCase()], [name]: limit }
  }
  return limits
}

const malformed = 'off: RATE_LIMITS is malformed'

type RateLimiter = { limit: (options: { key: string }) => Promise<{ success: boolean }> }

const isRateLimiter = (value: unknown): value is RateLimiter =>
  typeof value === 'object' && value !== null && 'limit' in value && typeof value.limit === 'function'
