import type { UsdPrice } from './findUsdPrice.ts'
import { type KeepRules, keepAnswer } from './keepAnswer.ts'

/** After a failure clients are told to wait a second; the sources are left alone as long. */
const lifetimesMs: { [status in UsdPrice['status']]: number } = {
  price: 60_000,
  unknown: 15_000,
  unavailable: 1_000,
  disputed: 1_000,
}

const rules: KeepRules<UsdPrice> = {
  lifetimeMs: ({ status }) => lifetimesMs[status],
  isFailure: ({ status }) => status === 'unavailable' || status === 'disputed',
  staleMs: ({ status }) => (status === 'price' ? 600_000 : 0),
}

/** The price of one token, kept for a minute, and for ten more while no source has one. */
export const keepPrice = (find: () => Promise<UsdPrice>, now: () => number): (() => Promise<UsdPrice>) =>
  keepAnswer(find, rules, now)
