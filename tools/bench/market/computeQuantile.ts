/** Value below or at which a share `q` of the values lies; NaN without values. */
export const computeQuantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(q * values.length) - 1)] ?? Number.NaN
