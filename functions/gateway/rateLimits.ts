import { z } from 'zod'
import { describeError } from '#shared/http/describeError.ts'
import { logEntry } from '#shared/http/logEntry.ts'
import { jsonTextSchema } from '#shared/validation/jsonText.ts'
import { connectApiKeys, type FindKeyHolder } from './connectApiKeys.ts'

/**
 * What is counted apart: `quotes` is all that solvers or a simulation are asked for, `submissions` all that stores or
 * cancels, `reads` everything else.
 */
export const rateLimitNames = ['quotes', 'submissions', 'reads'] as const
export type RateLimitName = (typeof rateLimitNames)[number]

export type RateLimit = {
  name: RateLimitName
  /** so many requests of one client … */
  requests: number
  /** … in so many seconds */
  seconds: number
  /** counts one more request under this key: a client on a network */
  isAllowed: (key: string) => Promise<boolean>
}

type LimitsByName = Partial<Record<RateLimitName, RateLimit>>

export type RateLimits = {
  active: LimitsByName
  /** the limits of those who have an API key, by tier; a kind that is missing is limited as for everybody */
  tiers: Record<string, LimitsByName>
  findKeyHolder: FindKeyHolder
  /** `on`, or `off` and why, as `/readyz` says it */
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
  /** seconds; the platform counts in no other windows */
  period: z.union([z.literal(10), z.literal(60)]),
})

/** The setting `RATE_LIMITS`: binding name → what the binding was configured with, since it does not tell. */
const quotasSchema = jsonTextSchema.pipe(z.record(z.string(), quotaSchema))

/** `LIMIT_QUOTES` is everybody's, `LIMIT_QUOTES_PARTNER` that of the tier `partner`. */
const bindingPattern = /^LIMIT_(QUOTES|SUBMISSIONS|READS)(?:_([A-Z][A-Z0-9_]*))?$/

/**
 * Finds the Rate Limiting bindings `LIMIT_QUOTES`, `LIMIT_SUBMISSIONS` and `LIMIT_READS`, those of the tiers, and the setting
 * `RATE_LIMITS`. The limits are a guard, not a rule of the order book: one that is not configured, or whose
 * binding is missing or fails, lets requests pass.
 * @param apiKeys the secret `API_KEYS`; without it nobody has a key
 */
export const connectRateLimits = (env: object, apiKeys?: string): RateLimits => {
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
    findKeyHolder: findApiKeys(apiKeys),
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

/** Without usable keys everybody is limited alike. */
const findApiKeys = (text: string | undefined): FindKeyHolder => {
  try {
    return connectApiKeys(text)
  } catch (error) {
    logEntry({ message: 'nobody has an API key', cause: describeError(error) })
    return noRateLimits.findKeyHolder
  }
}

type RateLimiter = { limit: (options: { key: string }) => Promise<{ success: boolean }> }

const isRateLimiter = (value: unknown): value is RateLimiter =>
  typeof value === 'object' && value !== null && 'limit' in value && typeof value.limit === 'function'
