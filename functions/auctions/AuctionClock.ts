import { DurableObject } from 'cloudflare:workers'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { buildClockDeps } from './buildClockDeps.ts'
import { createClockState } from './clockState.ts'
import { runStep } from './runStep.ts'
import { runTick } from './runTick.ts'
import { settingsSchema } from './settings.ts'

/** Time between two reads of the chain. */
const tickMs = 1_000
/** Retry delay of a clock with invalid settings. */
const retryMs = 30_000
/** An alarm this far from now counts as lost: overdue, or set before the system time was moved back. */
const lostMs = 60_000

/**
 * The auction clock: one object per network, driven by its alarm. It arms the next alarm before it works, so that no
 * failure in a tick stops it.
 */
export class AuctionClock extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(AuctionClock)
  }

  readonly #state = createClockState()

  /** Starts the clock unless it is running. */
  async arm(): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || Math.abs(alarm - Date.now()) > lostMs) await this.ctx.storage.setAlarm(Date.now())
  }

  /** Ticks immediately, because there is something new to auction. */
  async wake(): Promise<void> {
    this.#state.woken = true
    await this.ctx.storage.setAlarm(Date.now())
  }

  override async alarm(): Promise<void> {
    const settings = settingsSchema.safeParse(this.env)
    await this.ctx.storage.setAlarm(Date.now() + (settings.data ? tickMs : retryMs))
    if (settings.data) {
      const { data } = settings
      const background = (work: Promise<unknown>) => this.ctx.waitUntil(work)
      await runStep({ log }, 'tick', () => runTick(buildClockDeps(data, { log, background }), this.#state))
    } else {
      log({ message: 'auction clock stopped: invalid settings', settings: describeFaults(settings.error) })
    }
  }
}

const log = (entry: JsonObject): void => console.log(JSON.stringify(entry))
