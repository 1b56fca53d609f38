import type { Address } from 'viem'
import { connectNetworks } from '#shared/chain/connectNetworks.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import type { Settings } from '../settings.ts'
import { connectPriceSources } from './connectPriceSources.ts'
import { findUsdPrice, type UsdPrice } from './findUsdPrice.ts'

/** @returns a function that finds the price of one token from the sources of the settings, see `findUsdPrice` */
export const connectUsdPrice = (settings: Settings, name: NetworkName, token: Address): (() => Promise<UsdPrice>) => {
  const network = networks[name]
  const onNetwork = connectNetworks(settings.RPC_URLS)
  return () => {
    // one request per lookup, shared by all uses
    const details = onNetwork(network, async (chain) => (await findTokenDetails(chain, network, [token]))[0])
    const deps = {
      sources: connectPriceSources(settings, async () => (await details)?.decimals),
      maxDeviationBps: settings.PRICE_MAX_DEVIATION_BPS,
      isToken: () =>
        details.then(
          (found) => found !== undefined,
          () => undefined,
        ),
    }
    return findUsdPrice(deps, network, token)
  }
}
