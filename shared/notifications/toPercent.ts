import type { OrderMetadata } from './metadataShapes.ts'

export const describeFilled = ({ executed }: OrderMetadata): string => {
  if (executed.sell.amount === '0') return 'unfilled'
  return `with ${toPercent(executed.bps)} of it filled`
}

/** ` (12.5%)`; percentages of 1,000 % and more are omitted. */
export const describeShare = (bps: number): string => (bps > 0 && bps < 100_000 ? ` (${toPercent(bps)})` : '')

/** Basis points as `12.5%`. */
export const toPercent = (bps: number): string => `${(bps / 100).toFixed(2).replace(/\.?0+$/, '')}%`
