import type { Address } from 'viem'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { wrapToken } from '#shared/networks.ts'
import type { Batch } from '../batches/batch.ts'

/** Large enough that rounding a price to an integer never changes an amount (uint112) by an atom. */
const precision = 2n ** 128n

/**
 * Computes one clearing price per token, such that every batch trades at its rate:
 *     in · price(sell) = out · price(buy)
 * A single batch has its amounts as prices: price(sell) = out, price(buy) = in. For several batches the prices of
 * shared tokens are carried over, rounded so that ⌊out · price(buy) / price(sell)⌋ = in stays exact. The native and the
 * wrapped native token count as one.
 * @returns undefined when the batches need two prices for a token (the same pair twice, a cycle of pairs), or a price
 *   exceeds a uint256 at the required precision
 */
export const computeUniformPrices = (
  batches: readonly Batch[],
  wrappedNative: Address,
): Map<Address, bigint> | undefined => {
  const wrap = (token: Address) => wrapToken(token, wrappedNative)
  const scale = batches.length > 1 ? precision : 1n
  const prices = new Map<Address, bigint>()
  for (const { sellToken, buyToken, rate } of batches) {
    const [sold, bought] = [wrap(sellToken), wrap(buyToken)]
    if (sold === bought) {
      prices.set(sold, prices.get(sold) ?? scale)
      continue
    }
    const [sellPrice, buyPrice] = [prices.get(sold), prices.get(bought)]
    if (sellPrice !== undefined && buyPrice !== undefined) return undefined
    if (sellPrice !== undefined) {
      prices.set(bought, (sellPrice * rate.amountIn + rate.amountOut - 1n) / rate.amountOut)
    } else if (buyPrice !== undefined) {
      prices.set(sold, (buyPrice * rate.amountOut) / rate.amountIn)
    } else {
      prices.set(sold, rate.amountOut * scale)
      prices.set(bought, rate.amountIn * scale)
    }
  }
  const fits = [...prices.values()].every((price) => price >= scale && price <= maxUint256)
  const traded = batches.flatMap(({ fills }) => fills.flatMap(({ order }) => [order.sellToken, order.buyToken]))
  return fits ? new Map(traded.map((token) => [token, prices.get(wrap(token)) ?? 0n])) : undefined
}
