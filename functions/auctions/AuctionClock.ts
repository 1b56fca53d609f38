import { DurableObject } from 'cloudflare:workers'
import type { JsonObject } from '#shared/http/errors.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { buildClockDeps } from './buildClockDeps.ts'
import { createClockState } from './clockState.ts'
import { runStep } from './runStep.ts'
import { runTick } from './runTick.ts'
import { settingsSchema } from './settings.ts'

/** How soon a clock without usable settings looks again. */
const retryMs = 30_000
/** An alarm that is this far from now counts as lost: overdue, or set before the clock was put back. */
const lostMs = 60_000

/**
 * The auction clock: one object per network, ticking by its alarm. It arms the next tick before it works, so that nothing
 * that happens in a tick can stop it.
 */
export class AuctionClock extends DurableObject<Record<string, unknown>> {
  readonly #state = createClockState()

  /** Sets the clock going when it is not. */
  async arm(): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || Math.abs(alarm - Date.now()) > lostMs) await this.ctx.storage.setAlarm(Date.now())
  }

  /** Ticks now: there is something new to auction. */
  async wake(): Promise<void> {
    this.#state.woken = true
    await this.ctx.storage.setAlarm(Date.now())
  }

  override async alarm(): Promise<void> {
    const settings = settingsSchema.safeParse(this.env)
    await this.ctx.storage.setAlarm(Date.now() + (settings.data?.TICK_INTERVAL_MS ?? retryMs))
    if (settings.data) {
      const { data } = settings
      const background = (work: Promise<unknown>) => this.ctx.waitUntil(work)
      await runStep({ log }, 'tick', () => runTick(buildClockDeps(data, { log, background }), this.#state))
    } else {
      log({ message: 'the clock does not tick', settings: describeFaults(settings.error) })
    }
  }
}

const log = (entry: JsonObject): void => console.log(JSON.stringify(entry))
