import { DurableObject } from 'cloudflare:workers'
import type { Address } from 'viem'
import { type NetworkName, networks } from '#shared/networks.ts'
import { connectPriceSources } from './connectPriceSources.ts'
import { findUsdPrice, type UsdPrice } from './findUsdPrice.ts'
import { keepPrice } from './keepPrice.ts'
import { settingsSchema } from './settings.ts'

/**
 * The price of one token of one network: one object in the world, so that a burst of requests, wherever they come from, asks
 * the sources once. It keeps the price in memory only; a new object asks again.
 */
export class PriceBook extends DurableObject<Record<string, unknown>> {
  #findPrice: (() => Promise<UsdPrice>) | undefined

  /** @param token in lower case; the pair is the object's name, so it is the same in every call */
  async findPrice(network: NetworkName, token: Address): Promise<UsdPrice> {
    this.#findPrice ??= this.#open(network, token)
    return this.#findPrice()
  }

  #open(network: NetworkName, token: Address): () => Promise<UsdPrice> {
    const settings = settingsSchema.parse(this.env)
    const sources = connectPriceSources(settings)
    const gate = { maxDeviationBps: settings.PRICE_MAX_DEVIATION_BPS }
    return keepPrice(() => findUsdPrice(sources, gate, networks[network], token), Date.now)
  }
}
