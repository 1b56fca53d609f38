/** An order's limit compared with the market. Prices are buy token atoms per sell token atom. */
export type MarketGap = {
  limitPrice: number
  marketPrice: number
  /** how far the market has to move in the owner's favour until the limit is met, 1/10000 of the market, rounded up; ≤ 0: met */
  gapBps: number
}

const wholeBps = 10_000n

/**
 * Compares an order's limit with the rate of its tokens' native prices, before any fee:
 *     gapBps = ⌈ 10,000 · (buyAmount · buyPrice − sellAmount · sellPrice) / (sellAmount · sellPrice) ⌉
 * The gap is computed exactly in integers; only `limitPrice` and `marketPrice` are rounded.
 * @param sellPrice wei per 10¹⁸ sell token atoms, greater than zero
 * @param buyPrice wei per 10¹⁸ buy token atoms, greater than zero
 */
export const computeMarketGap = (
  { sellAmount, buyAmount }: { sellAmount: bigint; buyAmount: bigint },
  sellPrice: bigint,
  buyPrice: bigint,
): MarketGap => {
  const given = sellAmount * sellPrice
  const wanted = buyAmount * buyPrice
  return {
    limitPrice: Number(buyAmount) / Number(sellAmount),
    marketPrice: Number(sellPrice) / Number(buyPrice),
    gapBps: Math.min(Number(divideUp((wanted - given) * wholeBps, given)), Number.MAX_SAFE_INTEGER),
  }
}

/** ⌈ a / b ⌉ for b > 0; `bigint` division truncates towards zero. */
const divideUp = (a: bigint, b: bigint): bigint => a / b + (a > 0n && a % b !== 0n ? 1n : 0n)
