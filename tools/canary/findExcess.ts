import type { CanaryTimes } from './tradeCanary.ts'

export type CanaryLimits = { quoteMs: number; placementMs: number; fillMs: number }

/** The first time beyond its limit, in words; null: none. */
export const findExcess = (times: Omit<CanaryTimes, 'network'>, limits: CanaryLimits): string | null => {
  for (const name of ['quoteMs', 'placementMs', 'fillMs'] as const) {
    const [value, limit] = [times[name], limits[name]]
    if (value !== null && value > limit) return `${name} is ${value}, ${limit} allowed`
  }
  return null
}
