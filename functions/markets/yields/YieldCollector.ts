import { DurableObject } from 'cloudflare:workers'
import { connectDatabase } from '#schema/client.ts'
import { armAlarm } from '#shared/armAlarm.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { computeNextAlarm } from '../computeNextAlarm.ts'
import { settingsSchema } from '../settings.ts'
import { collectYields } from './collectYields.ts'
import { findYieldPools } from './findYieldPools.ts'

const intervalMs = 3_600_000
const retryMs = 300_000

/** Collects the yields of pools every hour by its alarm: one global object for all networks. */
export class YieldCollector extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(YieldCollector)
  }

  /** Starts the collector unless it is running. */
  async arm(): Promise<void> {
    await armAlarm(this.ctx.storage, Date.now(), intervalMs)
  }

  override async alarm(): Promise<void> {
    const { data } = settingsSchema.safeParse(this.env)
    // disabled: armed again once the setting is enabled
    if (!data?.YIELDS_ENABLED) return
    await this.ctx.storage.setAlarm(Date.now() + retryMs)
    const deps = {
      findYieldPools: () => findYieldPools(data.DEFILLAMA_YIELDS_URL, [...data.RPC_URLS.keys()]),
      database: connectDatabase(data.DATABASE_URL),
      log,
    }
    try {
      if (await collectYields(deps)) await this.ctx.storage.setAlarm(computeNextAlarm(Date.now(), intervalMs))
    } catch (error) {
      log({ message: 'yields not collected', cause: describeError(error) })
    }
  }
}

const log = (entry: JsonObject): void => console.log(JSON.stringify(entry))
