/**
 * Amount in of a constant-product pool for an exact amount out, including its fee of 0.3 %, rounded up
 * (`UniswapV2Library.getAmountIn`, which adds 1 even when the division is exact):
 *     in = ⌊ reserveIn · out · 1000 / ((reserveOut − out) · 997) ⌋ + 1
 * @returns atoms of the sold token; undefined when the pool's reserve is not above `amountOut`
 */
export const computeAmountIn = (amountOut: bigint, reserveIn: bigint, reserveOut: bigint): bigint | undefined => {
  if (amountOut <= 0n || reserveIn <= 0n || amountOut >= reserveOut) return undefined
  return (reserveIn * amountOut * 1000n) / ((reserveOut - amountOut) * 997n) + 1n
}
