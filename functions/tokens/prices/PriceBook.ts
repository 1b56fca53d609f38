import { DurableObject } from 'cloudflare:workers'
import type { Address } from 'viem'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import type { NetworkName } from '#shared/networks.ts'
import { settingsSchema } from '../settings.ts'
import { cachePrice } from './cachePrice.ts'
import { connectUsdPrice } from './connectUsdPrice.ts'
import type { UsdPrice } from './findUsdPrice.ts'

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
    return cachePrice(connectUsdPrice(settingsSchema.parse(this.env), name, token), Date.now)
  }
}
