/**
 * ⌊a · b / divisor⌋ without an intermediate limit.
 * @throws RangeError when the divisor is zero or an argument is negative
 */
export function mulDivFloor(a: bigint, b: bigint, divisor: bigint): bigint {
  checkArguments(a, b, divisor)
  return (a * b) / divisor
}

/**
 * ⌈a · b / divisor⌉ without an intermediate limit.
 * @throws RangeError when the divisor is zero or an argument is negative
 */
export function mulDivCeil(a: bigint, b: bigint, divisor: bigint): bigint {
  checkArguments(a, b, divisor)
  return (a * b + divisor - 1n) / divisor
}

/** `bigint` division truncates towards zero, which is neither floor nor ceiling for negative numbers. */
function checkArguments(a: bigint, b: bigint, divisor: bigint): void {
  if (divisor === 0n) throw new RangeError('division by zero')
  if (a < 0n || b < 0n || divisor < 0n) throw new RangeError(`negative argument in ${a} · ${b} / ${divisor}`)
}
