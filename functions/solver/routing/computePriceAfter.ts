import { ceilDiv } from './ceilDiv.ts'

const maxUint256 = 2n ** 256n - 1n

/** Rounded so that the price moves at most as far as the amount allows. */
export const computePriceAfterInput = (
  price: bigint,
  liquidity: bigint,
  amount: bigint,
  zeroForOne: boolean,
): bigint | undefined => {
  if (!zeroForOne) return price + (amount << 96n) / liquidity
  if (amount === 0n) return price
  const numerator = liquidity << 96n
  const denominator = numerator + amount * price
  // beyond 256 bits the pool uses a less exact formula
  return denominator <= maxUint256
    ? ceilDiv(numerator * price, denominator)
    : ceilDiv(numerator, numerator / price + amount)
}

/** Rounded so that the price moves at least as far as the amount requires. */
export const computePriceAfterOutput = (
  price: bigint,
  liquidity: bigint,
  amount: bigint,
  zeroForOne: boolean,
): bigint | undefined => {
  if (zeroForOne) {
    const fall = ceilDiv(amount << 96n, liquidity)
    return price > fall ? price - fall : undefined
  }
  const numerator = liquidity << 96n
  const product = amount * price
  return product <= maxUint256 && numerator > product ? ceilDiv(numerator * price, numerator - product) : undefined
}
