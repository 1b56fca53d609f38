import { mulDivCeil } from '../amounts/mulDiv.ts'
import type { SlippageBasis } from './computeSlippage.ts'

/** Room in the limit of a market order for changes before its settlement. */
export type SlippageRoom = {
  /** for the price: basis points of what is traded */
  priceBps: number
  /** basis of `priceBps` */
  basis: SlippageBasis
  /** for the network fee: millionths of it */
  feePpm: bigint
}

/** Without any history: 0.5 % of the volume and 50 % of the fee, as the public SDK. */
export const defaultRoom: SlippageRoom = { priceBps: 50, basis: 'unknown', feePpm: 500_000n }

/** Upper bound of a suggestion, basis points: even a small order never signs away more than half. */
export const maxSuggestedBps = 5_000

/**
 * Slippage at which a market order stays executable while its price and its network fee change as much as `room` says:
 *     ⌈ priceBps + 10⁴ · fee · feePpm / (10⁶ · traded) ⌉, at most `maxSuggestedBps`
 * @param traded what is swapped once the fee is taken, sell token atoms: of a sell order its amount without the fee; of a buy
 *   order the price of what it buys, before the fee. The SDK divides by the same.
 * @param fee sell token atoms
 * @returns basis points; the bound when nothing is left to trade
 */
export const computeSuggestedSlippage = (
  traded: bigint,
  fee: bigint,
  { priceBps, feePpm }: Omit<SlippageRoom, 'basis'>,
): number => {
  if (traded <= 0n) return maxSuggestedBps
  const feeBps = mulDivCeil(fee * feePpm, 1n, traded * 100n)
  const sum = BigInt(priceBps) + feeBps
  return sum > BigInt(maxSuggestedBps) ? maxSuggestedBps : Number(sum)
}
