/** Median; the mean of the middle two for an even count. */
export const median = (values: readonly number[]): number => {
  if (values.length === 0) throw new RangeError('the median needs at least one value')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
