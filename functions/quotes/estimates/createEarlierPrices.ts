import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectTokenMetadata } from '#schema/queries/tokens/tokenMetadata.ts'
import type { EarlierPrices } from '#shared/solvers/findNativePrice.ts'

const maxTokens = 1_000

/** Stored prices are wei per so many atoms. */
const nativePriceUnit = 1e18

/**
 * Caches confirmed native prices in the isolate, for at most a thousand tokens; others are found in their newest auction. A
 * failure counts as no price.
 */
export const createEarlierPrices = (database: Database, chainId: number): EarlierPrices => {
  const selectPrice = async (token: Address) => {
    const { nativePrice } = await selectTokenMetadata(database, chainId, token)
    return nativePrice === null ? undefined : Number(nativePrice) / nativePriceUnit
  }
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
