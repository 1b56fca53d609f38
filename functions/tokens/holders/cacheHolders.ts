import { type CacheRules, cacheResult } from '../cacheResult.ts'
import type { TopHolders } from './findTopHolders.ts'
import { ownSourceName } from './ownHolders.ts'

/** Short for the own index, which costs one call; long for providers, which charge per request. */
const ownLifetimeMs = 5_000
const providerLifetimeMs = 300_000
const unknownLifetimeMs = 15_000
/** `Retry-After` of a failure; the sources are not queried before. */
const failureLifetimeMs = 1_000

const rules: CacheRules<TopHolders> = {
  lifetimeMs: (result) => {
    if (result.status === 'unavailable') return failureLifetimeMs
    if (result.status === 'unknown') return unknownLifetimeMs
    return result.source === ownSourceName ? ownLifetimeMs : providerLifetimeMs
  },
  isFailure: ({ status }) => status === 'unavailable',
  staleMs: ({ status }) => (status === 'holders' ? 3_600_000 : 0),
}

/**
 * Caches the holders of one token for as long as the `Cache-Control` of the route, and for an hour while all sources
 * fail.
 */
export const cacheHolders = (find: () => Promise<TopHolders>, now: () => number): (() => Promise<TopHolders>) =>
  cacheResult(find, rules, now)
