import type { Address } from 'viem'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import type { Batch } from './buildBatch.ts'

/** Large enough that rounding a price to an integer never moves an amount (uint112) by an atom. */
const precision = 2n ** 128n

/**
 * One clearing price for each token, such that every batch trades at the price of its route: an amount in of the sell
 * token is worth the amount out of the buy token,
 *     in · price(sell) = out · price(buy)
 * A lone batch has the amounts themselves as prices: price(sell) = out, price(buy) = in. For several the prices of
 * tokens that they share are carried over, rounded so that ⌊out · price(buy) / price(sell)⌋ = in stays exact.
 * @returns undefined when the batches trade some token at two prices (the same pair twice, a circle of pairs), or when a
 *   price fits no uint256 at the needed precision
 */
export const computeUniformPrices = (batches: readonly Batch[]): Map<Address, bigint> | undefined => {
  const scale = batches.length > 1 ? precision : 1n
  const prices = new Map<Address, bigint>()
  for (const { sellToken, buyToken, route } of batches) {
    const sellPrice = prices.get(sellToken)
    const buyPrice = prices.get(buyToken)
    if (sellPrice !== undefined && buyPrice !== undefined) return undefined
    if (sellPrice !== undefined) {
      prices.set(buyToken, (sellPrice * route.amountIn + route.amountOut - 1n) / route.amountOut)
    } else if (buyPrice !== undefined) {
      prices.set(sellToken, (buyPrice * route.amountOut) / route.amountIn)
    } else {
      prices.set(sellToken, route.amountOut * scale)
      prices.set(buyToken, route.amountIn * scale)
    }
  }
  const fits = [...prices.values()].every((price) => price >= scale && price <= maxUint256)
  return fits ? prices : undefined
}
