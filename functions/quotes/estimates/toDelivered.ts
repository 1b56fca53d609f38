import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import type { OrderKind } from '#shared/signing/order.ts'
import type { SolverQuote } from '#shared/solvers/requestQuote.ts'

const wholePpm = 1_000_000n

/**
 * An offer as its solver settles it in an unchanged market: less its tolerance, rounded against the trader, at least an
 * atom.
 */
export const toDelivered = <Quote extends Pick<SolverQuote, 'sellAmount' | 'buyAmount'>>(
  kind: OrderKind,
  quote: Quote,
  tolerancePpm: bigint,
): Quote => {
  const { sellAmount, buyAmount } = quote
  return kind === 'sell'
    ? { ...quote, buyAmount: maxOf(1n, mulDivFloor(buyAmount, wholePpm - tolerancePpm, wholePpm)) }
    : { ...quote, sellAmount: minOf(maxUint256, mulDivCeil(sellAmount, wholePpm + tolerancePpm, wholePpm)) }
}
