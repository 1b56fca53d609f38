import { DurableObject } from 'cloudflare:workers'
import type { Address } from 'viem'
import { connectNetworks } from '#shared/chain/connectNetworks.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { settingsSchema } from '../settings.ts'
import { cachePrice } from './cachePrice.ts'
import { connectPriceSources } from './connectPriceSources.ts'
import { findUsdPrice, type UsdPrice } from './findUsdPrice.ts'

/**
 * The price of one token of one network: a single global object, so that a burst of requests from any location queries
 * the sources once. The price is in memory only; a new object queries again.
 */
export class PriceBook extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(PriceBook)
  }

  #findPrice: (() => Promise<UsdPrice>) | undefined

  /** @param token in lower case; the pair is the object's name, so it is the same in every call */
  async findPrice(network: NetworkName, token: Address): Promise<UsdPrice> {
    this.#findPrice ??= this.#open(network, token)
    return this.#findPrice()
  }

  #open(name: NetworkName, token: Address): () => Promise<UsdPrice> {
    const settings = settingsSchema.parse(this.env)
    const network = networks[name]
    const onNetwork = connectNetworks(settings.RPC_URLS)
    const findDetails = () => onNetwork(network, async (chain) => (await findTokenDetails(chain, network, [token]))[0])
    const find = () => {
      // one request per lookup, shared by all uses
      const details = findDetails()
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
    return cachePrice(find, Date.now)
  }
}
