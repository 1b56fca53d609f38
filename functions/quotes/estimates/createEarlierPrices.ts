import type { Address } from 'viem'
import type { EarlierPrices } from '#shared/solvers/findNativePrice.ts'

const maxTokens = 1_000

/**
 * Remembers confirmed native prices in the isolate, the newest of a thousand tokens.
 * @param selectPrice the price of the token's newest auction, wei per atom; a failure counts as none
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
