/** Between two ticks the liquidity of a pool is constant. Prices are square roots · 2^96, amounts atoms. */
export interface SwapStep {
  /** price after the step */
  sqrtPrice: bigint
  /** amount in, without the fee */
  amountIn: bigint
  amountOut: bigint
  fee: bigint
}
const wholePpm = 1_000_000n

/**
 * Price change of a pool for an amount, at most to `target`, and the traded amounts; rounds like the pool
 * (`SwapMath.computeSwapStep`, `SqrtPriceMath`).
 * @param remaining remaining amount to sell including its fee (`sell`), or to buy (`buy`)
 * @param feePpm millionths of the amount in
 * @returns undefined when the amount exceeds the pool's arithmetic
 */
export const computeSwapStep = (
  kind: 'sell' | 'buy',
  current: bigint,
  target: bigint,
  liquidity: bigint,
  remaining: bigint,
  feePpm: bigint,
): SwapStep | undefined => {
  const zeroForOne = current >= target
  const amountInTo = (price: bigint) =>
    zeroForOne ? computeAmount0(price, current, liquidity, true) : computeAmount1(current, price, liquidity, true)
  const amountOutTo = (price: bigint) =>
    zeroForOne ? computeAmount1(price, current, liquidity, false) : computeAmount0(current, price, liquidity, false)
  const sold = kind === 'sell' ? (remaining * (wholePpm - feePpm)) / wholePpm : 0n
  const reaches = kind === 'sell' ? sold >= amountInTo(target) : remaining >= amountOutTo(target)
  const sqrtPrice = reaches
    ? target
    : kind === 'sell'
      ? computePriceAfterInput(current, liquidity, sold, zeroForOne)
      : computePriceAfterOutput(current, liquidity, remaining, zeroForOne)
  if (sqrtPrice === undefined) return undefined
  const amountIn = amountInTo(sqrtPrice)
  const amountOut = amountOutTo(sqrtPrice)
  return {
    sqrtPrice,
    amountIn,
    amountOut: kind === 'buy' && amountOut > remaining ? remaining : amountOut,
    fee: kind === 'sell' && sqrtPrice !== target ? remaining - amountIn : ceilDiv(amountIn * feePpm, wholePpm - feePpm),
  }
}

/** Atoms of token0 between two prices, lower first. */
const computeAmount0 = (lower: bigint, upper: bigint, liquidity: bigint, up: boolean): bigint => {
  const product = (liquidity << 96n) * (upper - lower)
  return up ? ceilDiv(ceilDiv(product, upper), lower) : product / upper / lower
}

/** Atoms of token1 between two prices, lower first. */
const computeAmount1 = (lower: bigint, upper: bigint, liquidity: bigint, up: boolean): bigint => {
  const product = liquidity * (upper - lower)
  return up ? ceilDiv(product, 1n << 96n) : product >> 96n
}

const maxUint256 = 2n ** 256n - 1n

/** Rounded so that the price moves at most as far as the amount allows. */
const computePriceAfterInput = (
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
const computePriceAfterOutput = (
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

/** ⌈a / b⌉ of numbers that are not negative. */
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
