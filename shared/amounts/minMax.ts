/** `Math.min` and `Math.max` take no bigint. */
export const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b)
