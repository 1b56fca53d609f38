import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectTokenMetadata } from '#schema/queries/tokens/tokenMetadata.ts'
import { forgetOldest } from '#shared/forgetOldest.ts'
import type { EarlierPrices, NativePrice } from '#shared/solvers/requestNativePrice.ts'

const maxTokens = 1_000

/** Stored prices are wei per so many atoms. */
const nativePriceUnit = 1e18

/**
 * Caches confirmed native prices in the isolate, for at most a thousand tokens; others are found in
 * their newest auction. A failure counts as no price.
 * @param now Unix milliseconds
 */
export const createEarlierPrices = (database: Database, chainId: number, now: () => number): EarlierPrices => {
  const selectPrice = async (token: Address) => {
    const { nativePrice } = await selectTokenMetadata(database, chainId, token)
    return nativePrice === null ? undefined : Number(nativePrice) / nativePriceUnit
  }
  const prices = new Map<Address, NativePrice & { at: number }>()
  return {
    recall: (token) => prices.get(token)?.price,
    recent: (token, maxAgeMs) => {
      const known = prices.get(token)
      return known && Math.abs(now() - known.at) < maxAgeMs ? known : undefined
    },
    find: async (token) => prices.get(token)?.price ?? (await selectPrice(token).catch(() => undefined)),
    remember: (token, price) => {
      prices.delete(token)
      prices.set(token, { ...price, at: now() })
      forgetOldest(prices, maxTokens)
    },
  }
}
