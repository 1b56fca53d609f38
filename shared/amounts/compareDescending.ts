/** Sorts amounts from the largest down. */
export const compareDescending = (a: bigint, b: bigint): number => (a < b ? 1 : a > b ? -1 : 0)
