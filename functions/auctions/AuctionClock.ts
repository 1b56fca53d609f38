import { DurableObject } from 'cloudflare:workers'
import { armAlarm } from '#shared/armAlarm.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { connectClock } from './connectClock.ts'
import { type Clock, createClock } from './createClock.ts'
import { settingsSchema } from './settings.ts'

/** Time between two reads of the chain. */
const tickMs = 1_000
/** Retry delay of a clock with invalid settings. */
const retryMs = 30_000

/**
 * The Durable Object of the auction clock: one per network, driven by its alarm. It arms the next alarm before it
 * works, so that no failure in a tick stops it.
 */
export class AuctionClock extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(AuctionClock)
  }

  #clock: Clock | undefined

  /** Starts the clock unless it is running. */
  async arm(): Promise<void> {
    await armAlarm(this.ctx.storage, Date.now(), retryMs)
  }

  /** Ticks immediately, because there is something new to auction. */
  async wake(): Promise<void> {
    this.#clock?.wake()
    await this.ctx.storage.setAlarm(Date.now())
  }

  override async alarm(): Promise<void> {
    this.#clock ??= this.#connect()
    await this.ctx.storage.setAlarm(Date.now() + (this.#clock ? tickMs : retryMs))
    await this.#clock?.tick()
  }

  /** @returns undefined with invalid settings */
  #connect(): Clock | undefined {
    const { data, error } = settingsSchema.safeParse(this.env)
    if (data) return createClock(connectClock(data, { log, background: (work) => this.ctx.waitUntil(work) }))
    log({ message: 'auction clock stopped: invalid settings', settings: describeFaults(error) })
    return undefined
  }
}

const log = (entry: JsonObject): void => console.log(JSON.stringify(entry))
