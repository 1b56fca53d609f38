import { mulDivCeil, mulDivFloor } from './mulDiv.ts'
import { checkUint256 } from './uint256.ts'

/** An order's signed limit and its amounts in a solution or a trade. */
export interface ExecutedOrder {
  kind: 'sell' | 'buy'
  /** signed `sellAmount`, sell token atoms */
  limitSell: bigint
  /** signed `buyAmount`, buy token atoms */
  limitBuy: bigint
  /** sell token atoms that leave the owner, fees included */
  executedSell: bigint
  /** buy token atoms that reach the receiver */
  executedBuy: bigint
}

/**
 * Gain of the order over its signed limit, scaled to the executed part:
 *     sell: executedBuy − ⌈ executedSell · limitBuy / limitSell ⌉          in buy token atoms
 *     buy:  ⌊ limitSell · executedBuy / limitBuy ⌋ − executedSell          in sell token atoms
 * Rounded so that the sign is exact: at least 0 if and only if executedSell · limitBuy ≤ executedBuy · limitSell.
 * @returns negative when the limit is violated; such a solution is discarded entirely
 * @throws RangeError when the exact side of the limit is zero, or the scaled limit is not a uint256
 */
export function computeSurplus({ kind, limitSell, limitBuy, executedSell, executedBuy }: ExecutedOrder): bigint {
  return kind === 'sell'
    ? executedBuy - checkUint256(mulDivCeil(executedSell, limitBuy, limitSell), 'least buy amount')
    : checkUint256(mulDivFloor(limitSell, executedBuy, limitBuy), 'most sell amount') - executedSell
}
