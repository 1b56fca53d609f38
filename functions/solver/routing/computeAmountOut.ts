/**
 * Amount out of a constant-product pool for an exact amount in, after its fee of 0.3 %, rounded down
 * (`UniswapV2Library.getAmountOut`):
 *     out = ⌊ in · 997 · reserveOut / (reserveIn · 1000 + in · 997) ⌋
 * @returns atoms of the bought token; undefined when that is 0, or a reserve is empty
 */
export const computeAmountOut = (amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint | undefined => {
  if (amountIn <= 0n || reserveIn <= 0n || reserveOut <= 0n) return undefined
  const amountInAfterFee = amountIn * 997n
  const amountOut = (amountInAfterFee * reserveOut) / (reserveIn * 1000n + amountInAfterFee)
  return amountOut > 0n ? amountOut : undefined
}
