import { connectNetworks, findServed } from '#shared/chain/connectNetworks.ts'
import { probeNetworks } from '#shared/chain/probeNetworks.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { describeError } from '#shared/http/describeError.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { type NetworkName, nativeSentinel } from '#shared/networks.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { getTokenDetails, type TokenDetailsDeps } from './details/getTokenDetails.ts'
import { postTokenDetails } from './details/postTokenDetails.ts'
import { getTopHolders, type TopHoldersRouteDeps } from './holders/getTopHolders.ts'
import { getUsdPrice, type UsdPriceDeps } from './prices/getUsdPrice.ts'
import { postUsdPrices } from './prices/postUsdPrices.ts'
import { type Settings, settingsSchema } from './settings.ts'

export default createWorker({
  errorFormat: auxiliaryFormat,
  settings: settingsSchema,
  routes: (settings: Settings) => {
    const onNetwork = connectNetworks(settings.RPC_URLS)
    const detailsDeps: TokenDetailsDeps = {
      findTokenDetails: (network, tokens) => onNetwork(network, (chain) => findTokenDetails(chain, network, tokens)),
    }
    const priceDeps: UsdPriceDeps = {
      findUsdPrice: async (network, token) => {
        findServed(settings.RPC_URLS, network)
        const book = settings.PRICES.getByName(`${network.name}:${token}`)
        return unavailableOnError(() => book.findPrice(network.name as NetworkName, token))
      },
    }
    const holderDeps: TopHoldersRouteDeps = {
      findTopHolders: async (network, token) => {
        findServed(settings.RPC_URLS, network)
        if (token === nativeSentinel) return { status: 'unknown' }
        const book = settings.HOLDERS.getByName(`${network.name}:${token}`)
        return unavailableOnError(() => book.findHolders(network.name as NetworkName, token))
      },
    }
    return [
      getTokenDetails(detailsDeps),
      postTokenDetails(detailsDeps),
      getUsdPrice(priceDeps),
      postUsdPrices(priceDeps),
      getTopHolders(holderDeps),
    ]
  },
  probes: ({ RPC_URLS }) => probeNetworks(RPC_URLS),
})

/** A Durable Object that is moved, overloaded or replaced by a deployment is briefly unavailable. */
const unavailableOnError = async <Result>(
  request: () => Promise<Result>,
): Promise<Result | { status: 'unavailable'; sources: Record<string, string> }> => {
  try {
    return await request()
  } catch (error) {
    return { status: 'unavailable', sources: { book: describeError(error) } }
  }
}
