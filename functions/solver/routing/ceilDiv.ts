/** ⌈a / b⌉ of numbers that are not negative. */
export const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
