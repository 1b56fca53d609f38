import type { Settings } from '../settings.ts'
import { coinGecko } from './coinGecko.ts'
import { defiLlama } from './defiLlama.ts'
import { type OwnPricesDeps, ownPrices } from './ownPrices.ts'
import type { PriceSource } from './priceSource.ts'

/** The price sources enabled by the settings, the most trusted first. */
export const connectPriceSources = (settings: Settings, findDecimals: OwnPricesDeps['findDecimals']): PriceSource[] => {
  const { COINGECKO_API_KEY, DEFILLAMA_API_KEY } = settings
  return [
    ownPrices({ quotes: settings.quotes, findDecimals }),
    ...(COINGECKO_API_KEY ? [coinGecko({ url: settings.COINGECKO_URL, apiKey: COINGECKO_API_KEY })] : []),
    ...(DEFILLAMA_API_KEY ? [defiLlama({ url: settings.DEFILLAMA_URL, apiKey: DEFILLAMA_API_KEY })] : []),
  ]
}
