import { type CacheRules, cacheResult } from '../cacheResult.ts'
import type { UsdPrice } from './findUsdPrice.ts'

/** Milliseconds; after a failure `Retry-After` is a second, and the sources are not queried before. */
const lifetimesMs: { [status in UsdPrice['status']]: number } = {
  price: 60_000,
  unknown: 15_000,
  unavailable: 1_000,
  disputed: 1_000,
}

const rules: CacheRules<UsdPrice> = {
  lifetimeMs: ({ status }) => lifetimesMs[status],
  isFailure: ({ status }) => status === 'unavailable' || status === 'disputed',
  staleMs: ({ status }) => (status === 'price' ? 600_000 : 0),
}

/** Caches the price of one token for a minute, and for ten more while lookups fail. */
export const cachePrice = (find: () => Promise<UsdPrice>, now: () => number): (() => Promise<UsdPrice>) =>
  cacheResult(find, rules, now)
