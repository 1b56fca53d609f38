import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'

/**
 * Network fee of one order in a settlement: the gas cost of settling it, charged in the sell token, rounded up.
 *     fee = ⌈ gas · gasPrice · 10^18 / auctionPrice ⌉
 * @param gasPrice wei per gas unit
 * @param auctionPrice of the sell token, wei per 10^18 atoms, not zero
 * @returns sell token atoms
 */
export const computeSettlementFee = (gas: bigint, gasPrice: bigint, auctionPrice: bigint): bigint =>
  mulDivCeil(gas * gasPrice, auctionPriceScale, auctionPrice)
