/** The largest amount a token or the settlement contract can hold. */
export const maxUint256 = 2n ** 256n - 1n

/**
 * @param name name of the value in the error
 * @returns the value itself
 * @throws RangeError when it is negative or above `maxUint256`
 */
export function checkUint256(value: bigint, name: string): bigint {
  if (value < 0n || value > maxUint256) throw new RangeError(`${name}: ${value} is not a uint256`)
  return value
}
