/** maximum halvings: sufficient for the largest amount, and a bound for any `value` */
const maxSteps = 288

/**
 * Maximum of a concave function of an amount, to a thousandth of the amount, by bisecting its slope. For a function
 * that still rises at the top of the range the result is exactly the top.
 * @param value undefined counts as falling: the amount is infeasible
 * @param low less than `high`
 */
export const computeMaximum = (value: (amount: bigint) => bigint | undefined, low: bigint, high: bigint): bigint => {
  const rises = (from: bigint, to: bigint): boolean => {
    const [before, after] = [value(from), value(to)]
    return after !== undefined && (before === undefined || after >= before)
  }
  const stride = (amount: bigint) => (amount >> 12n) + 1n
  if (high - stride(high) <= low || rises(high - stride(high), high)) return high
  let [from, to] = [low, high]
  for (let step = 0; step < maxSteps && to - from > (to >> 20n) + 1n; step += 1) {
    const middle = (from + to) >> 1n
    if (rises(middle, middle + stride(middle))) from = middle
    else to = middle
  }
  return from
}
