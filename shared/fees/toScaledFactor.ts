/** One, in the fixed-point numbers of fee computations. */
export const scaledWhole = 10n ** 18n

/** A share in fixed point: ⌊ value · 10^18 ⌋ of the product as a double, as other systems of this kind compute it. */
export const toScaledFactor = (value: number): bigint => BigInt(Math.trunc(value * 1e18))
