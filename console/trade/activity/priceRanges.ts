/** Time ranges of the price chart: candles of an interval, as the API serves them. */
export const priceRanges = {
  '1H': { interval: '5m', intervalMs: 300_000, count: 12, label: 'last hour' },
  '1D': { interval: '5m', intervalMs: 300_000, count: 288, label: 'last day' },
  '1W': { interval: '1h', intervalMs: 3_600_000, count: 168, label: 'last week' },
  '1M': { interval: '1d', intervalMs: 86_400_000, count: 30, label: 'last month' },
} as const

export type PriceRange = keyof typeof priceRanges

export const defaultPriceRange: PriceRange = '1D'

/** @param name of the URL, untrusted */
export const readPriceRange = (name: string | undefined): PriceRange =>
  Object.keys(priceRanges).find((range): range is PriceRange => range === name) ?? defaultPriceRange
