/** Prices of honest solvers differ by their routes, up to this factor; a price beyond it is an outlier. */
const outlierFactor = 10
/** Prices of two solvers within this factor confirm each other. */
const agreementFactor = 3

/** The native price that a solver would pay. */
export type SolverPrice = {
  solver: string
  /** wei per atom, above zero */
  price: number
}

/** The price that a request is computed with. */
export type ConsensusPrice = {
  /** wei per atom; undefined without any price */
  price: number | undefined
  /** whether two solvers, or one and an earlier price, agree: only such a price may judge an estimate */
  isConfirmed: boolean
  outliers: SolverPrice[]
}

/** Whether two of the prices confirm each other, so that no third one has to be waited for. */
export const hasAgreement = (prices: readonly number[]): boolean => {
  const sorted = prices.toSorted((a, b) => a - b)
  return sorted.some((price, i) => i > 0 && isWithin(price, sorted[i - 1] ?? 0, agreementFactor))
}

/** Whether a price differs from an earlier one by more than honest solvers and routes do. */
export const contradicts = (price: number, earlier: number): boolean => !isWithin(price, earlier, outlierFactor)

/**
 * One price out of those of several solvers: prices far from the median are left out, and the second best of the others
 * counts, so that no solver alone raises or lowers it. Of two prices that contradict each other the one near the earlier price
 * counts; without an earlier price the lower one does, unconfirmed.
 * @param earlier wei per atom, as it was known before this request
 */
export const computeConsensusPrice = (prices: readonly SolverPrice[], earlier: number | undefined): ConsensusPrice => {
  const sorted = prices.toSorted((a, b) => b.price - a.price)
  const center = sorted.length === 2 ? earlier : sorted[Math.floor(sorted.length / 2)]?.price
  const isOutlier = ({ price }: SolverPrice) => center !== undefined && !isWithin(price, center, outlierFactor)
  const outliers = sorted.length > 1 ? sorted.filter(isOutlier) : []
  const plausible = outliers.length < sorted.length ? sorted.filter((price) => !outliers.includes(price)) : sorted
  const price = (plausible[1] ?? plausible[0])?.price
  const isConfirmed =
    price !== undefined &&
    (hasAgreement(plausible.map((one) => one.price)) ||
      (earlier !== undefined && isWithin(price, earlier, outlierFactor)))
  return { price, isConfirmed, outliers: outliers.length < sorted.length ? outliers : [] }
}

const isWithin = (a: number, b: number, factor: number): boolean => a <= b * factor && b <= a * factor
