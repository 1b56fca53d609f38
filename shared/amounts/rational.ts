/** numerator / denominator, both positive, in lowest terms. */
export interface Rational {
  numerator: bigint
  denominator: bigint
}

/**
 * The exact value of a double as a fraction. Every finite double is an integer times a power of two, so the fraction is
 * lossless: gas costs and native prices (doubles on the wire) can be multiplied, divided and rounded once, at the end.
 * 0.1 becomes 3602879701896397 / 2⁵⁵, not 1 / 10: the double's own value.
 * @throws RangeError when `value` is not finite or not above zero
 */
export function toRational(value: number): Rational {
  if (!Number.isFinite(value) || value <= 0) throw new RangeError(`${value} is not a positive finite number`)
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const biasedExponent = Number(bits >> 52n)
  const fraction = bits & (2n ** 52n - 1n)
  // IEEE 754 binary64: a normal number has an implicit leading one, a subnormal one (biased exponent 0) has not
  let significand = biasedExponent === 0 ? fraction : fraction | (2n ** 52n)
  let exponent = Math.max(biasedExponent, 1) - 1075
  while (exponent < 0 && (significand & 1n) === 0n) {
    significand >>= 1n
    exponent += 1
  }
  return exponent < 0
    ? { numerator: significand, denominator: 2n ** BigInt(-exponent) }
    : { numerator: significand * 2n ** BigInt(exponent), denominator: 1n }
}
