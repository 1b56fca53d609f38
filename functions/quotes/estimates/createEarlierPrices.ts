import type { Address } from 'viem'
import type { EarlierPrices } from '#shared/solvers/findNativePrice.ts'

const maxTokens = 1_000

/**
 * Caches confirmed native prices in the isolate, for at most a thousand tokens.
 * @param selectPrice price of the token in its newest auction, wei per atom; a failure counts as no price
 */
export const createEarlierPrices = (selectPrice: (token: Address) => Promise<number | undefined>): EarlierPrices => {
  const prices = new Map<Address, number>()
  return {
    recall: (token) => prices.get(token),
    find: async (token) => prices.get(token) ?? (await selectPrice(token).catch(() => undefined)),
    remember: (token, price) => {
      prices.delete(token)
      prices.set(token, price)
      for (const oldest of prices.keys()) {
        if (prices.size <= maxTokens) break
        prices.delete(oldest)
      }
    },
  }
}
