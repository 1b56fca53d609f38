import { mulDivFloor } from './mulDiv.ts'
import { auctionPriceScale } from './toAuctionPrice.ts'
import { checkUint256 } from './uint256.ts'

/** The fields of an order that determine the value of its surplus. */
export interface ScoredOrder {
  kind: 'sell' | 'buy'
  /** signed `sellAmount`, sell token atoms */
  limitSell: bigint
  /** signed `buyAmount`, buy token atoms */
  limitBuy: bigint
}

/**
 * Contribution of an order to the score of a solution: its surplus in the native token.
 *     sell: ⌊ surplus · buyPrice / 10^18 ⌋
 *     buy:  ⌊ ⌊ surplus · limitBuy / limitSell ⌋ · buyPrice / 10^18 ⌋
 * The surplus of a buy order is sell token, but it is converted by the order's own limit and valued at the price of the
 * *buy* token, so that every order needs one price only.
 * @param surplus from `computeSurplus`, with fees of the protocol added: buy atoms (sell order), sell atoms (buy order)
 * @param buyPrice auction price of the buy token, wei per 10^18 atoms
 * @returns wei
 * @throws RangeError when the surplus is negative, `limitSell` of a buy order is zero, or a value is not a uint256
 */
export function computeScore({ kind, limitSell, limitBuy }: ScoredOrder, surplus: bigint, buyPrice: bigint): bigint {
  const buyAtoms =
    kind === 'sell' ? surplus : checkUint256(mulDivFloor(surplus, limitBuy, limitSell), 'surplus in the buy token')
  return checkUint256(mulDivFloor(buyAtoms, buyPrice, auctionPriceScale), 'score')
}
