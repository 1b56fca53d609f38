import { connectNetworks } from '#shared/chain/connectNetworks.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { coinGecko } from './coinGecko.ts'
import { defiLlama } from './defiLlama.ts'
import { ownPrices } from './ownPrices.ts'
import type { PriceSource } from './priceSource.ts'
import type { Settings } from './settings.ts'

/** The sources of prices that the settings switch on, the most trusted one first. */
export const connectPriceSources = (settings: Settings): PriceSource[] => {
  const askNetwork = connectNetworks(settings.RPC_URLS)
  const { COINGECKO_API_KEY, DEFILLAMA_API_KEY } = settings
  return [
    ownPrices({
      quotes: settings.quotes,
      findDecimals: (network, token) =>
        askNetwork(network, async (chain) => (await findTokenDetails(chain, network, [token]))[0]?.decimals),
    }),
    ...(COINGECKO_API_KEY ? [coinGecko({ url: settings.COINGECKO_URL, apiKey: COINGECKO_API_KEY })] : []),
    ...(DEFILLAMA_API_KEY ? [defiLlama({ url: settings.DEFILLAMA_URL, apiKey: DEFILLAMA_API_KEY })] : []),
  ]
}
