/** gas of a settlement with one trade and no swap */
const settlementGas = 106_391n
/** gas of one swap in a constant-product pool, measured: 61,000 with the transfer into the first pool, 46,000 after it */
export const hopGas = 60_000n
/** gas of paying out the native token: unwrapping it and sending it */
const unwrapGas = 9_223n

/**
 * Gas of settling one order.
 * @param hops number of swaps
 * @param unwraps whether the order buys the native token
 */
export const computeGas = (hops: number, unwraps: boolean): bigint =>
  settlementGas + BigInt(hops) * hopGas + (unwraps ? unwrapGas : 0n)
