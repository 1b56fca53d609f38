import { z } from 'zod'
import { jsonTextSchema } from '#shared/validation/jsonText.ts'

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
  /** counts one more request of this client */
  isAllowed: (client: string) => Promise<boolean>
}

export type RateLimits = {
  active: Partial<Record<RateLimitName, RateLimit>>
  /** `on`, or `off` and why, as `/readyz` says it */
  states: Record<RateLimitName, string>
}

export const noRateLimits: RateLimits = { active: {}, states: { quotes: 'off', submissions: 'off', reads: 'off' } }

const quotaSchema = z.object({
  limit: z.number().int().positive(),
  /** seconds; the platform counts in no other windows */
  period: z.union([z.literal(10), z.literal(60)]),
})

/** The setting `RATE_LIMITS`: binding name → what the binding was configured with, since it does not tell. */
const quotasSchema = jsonTextSchema.pipe(z.record(z.string(), quotaSchema))

/**
 * Finds the Rate Limiting bindings `LIMIT_QUOTES`, `LIMIT_SUBMISSIONS` and `LIMIT_READS` and the setting `RATE_LIMITS`. The
 * limits are a guard, not a rule of the order book: one that is not configured, or whose binding is missing or fails, lets
 * requests pass.
 */
export const connectRateLimits = (env: object): RateLimits => {
  const bindings = env as Record<string, unknown>
  if (bindings.RATE_LIMITS === undefined) return noRateLimits
  const quotas = quotasSchema.safeParse(bindings.RATE_LIMITS)
  const limits: RateLimits = { active: {}, states: { ...noRateLimits.states } }
  for (const name of rateLimitNames) {
    const bindingName = `LIMIT_${name.toUpperCase()}`
    const quota = quotas.data?.[bindingName]
    const binding = bindings[bindingName]
    if (!quotas.success) limits.states[name] = 'off: RATE_LIMITS is malformed'
    else if (quota && !isRateLimiter(binding)) limits.states[name] = `off: no binding ${bindingName}`
    else if (quota && isRateLimiter(binding)) {
      limits.states[name] = 'on'
      const isAllowed = async (client: string) => (await binding.limit({ key: client })).success
      limits.active[name] = { name, requests: quota.limit, seconds: quota.period, isAllowed }
    }
  }
  return limits
}

type RateLimiter = { limit: (options: { key: string }) => Promise<{ success: boolean }> }

const isRateLimiter = (value: unknown): value is RateLimiter =>
  typeof value === 'object' && value !== null && 'limit' in value && typeof value.limit === 'function'
