/** ⌊√n⌋ by Newton's method. */
export const squareRoot = (n: bigint): bigint => {
  if (n < 2n) return n
  let root = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + n / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
