import { DurableObject } from 'cloudflare:workers'
import { connectNetworkDatabases } from '#schema/connectNetworkDatabases.ts'
import { armAlarm } from '#shared/armAlarm.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { type Network, type NetworkName, networks } from '#shared/networks.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { computeNextAlarm } from '../computeNextAlarm.ts'
import { settingsSchema } from '../settings.ts'
import { findSampledPrices } from './findSampledPrices.ts'
import { samplePrices } from './samplePrices.ts'

/** Retry delay of a sampler with invalid settings. */
const retryMs = 30_000
const networkKey = 'network'

/**
 * Samples the prices of one network by its alarm: one global object per network. It arms the next alarm before it
 * works, so that no failure stops it.
 */
export class PriceSampler extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(PriceSampler)
  }

  /**
   * Starts the sampler unless it is running.
   * @param network network of this object; an alarm does not know its object's name
   */
  async arm(network: NetworkName): Promise<void> {
    await this.ctx.storage.put(networkKey, network)
    const { data } = settingsSchema.safeParse(this.env)
    await armAlarm(this.ctx.storage, Date.now(), data?.PRICE_SAMPLE_INTERVAL_MS ?? retryMs)
  }

  override async alarm(): Promise<void> {
    const name = await this.ctx.storage.get<NetworkName>(networkKey)
    const settings = settingsSchema.safeParse(this.env)
    const intervalMs = settings.data?.PRICE_SAMPLE_INTERVAL_MS ?? retryMs
    await this.ctx.storage.setAlarm(computeNextAlarm(Date.now(), intervalMs))
    if (!settings.success) return log({ message: 'no prices are sampled', settings: describeFaults(settings.error) })
    if (name === undefined) return
    const network: Network = networks[name]
    const deps = {
      database: connectNetworkDatabases(settings.data)(network.chainId),
      findPrices: (tokens: Parameters<typeof findSampledPrices>[2]) =>
        findSampledPrices(settings.data.TOKENS, network, tokens),
      now: Date.now,
      log,
    }
    try {
      await samplePrices(deps, network)
    } catch (error) {
      log({ message: 'prices not sampled', network: name, cause: describeError(error) })
    }
  }
}

const log = (entry: JsonObject): void => console.log(JSON.stringify(entry))
