import { connectDatabase } from '#schema/client.ts'
import { deleteOldQuotes } from '#schema/queries/quotes/quotes.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { NotReadyError } from '#shared/http/NotReadyError.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { connectOwnSolvers, findSolverFault } from '#shared/solvers/findSolverFault.ts'
import { postWake } from './postWake.ts'
import { removeOldQuotes } from './removeOldQuotes.ts'
import { type Settings, settingsSchema } from './settings.ts'

/** The clock of the network, a single object. */
const findClock = ({ CLOCK, NETWORK }: Pick<Settings, 'CLOCK' | 'NETWORK'>) => CLOCK.getByName(NETWORK.name)

const worker = createWorker({
  settings: settingsSchema,
  routes: (settings) => [postWake({ wake: () => findClock(settings).wake() })],
  probes: (settings) => ({
    clock: () => findClock(settings).arm(),
    database: () => checkDatabase(connectDatabase(settings.DATABASE_URL)),
    rpc: () => connectChain(settings.RPC_URL).getChainId(),
    ...Object.fromEntries(
      connectOwnSolvers(settings.SOLVERS, settings).map((solver) => [
        `solver ${solver.name}`,
        async () => {
          const fault = await findSolverFault(solver)
          if (fault !== undefined) throw new NotReadyError(fault)
        },
      ]),
    ),
  }),
})

export default {
  ...worker,
  /** Watchdog: restarts a clock that lost its alarm within a minute, then deletes old quotes. */
  async scheduled(_event: ScheduledController, env: object): Promise<void> {
    const settings = settingsSchema.safeParse(env)
    if (!settings.data) {
      const faults = describeFaults(settings.error)
      console.error(JSON.stringify({ message: 'auction clock watchdog stopped: invalid settings', settings: faults }))
      return
    }
    const { DATABASE_URL, NETWORK, QUOTE_RETENTION_DAYS: retentionDays } = settings.data
    await findClock(settings.data).arm()
    await removeOldQuotes({
      now: Date.now,
      retentionDays,
      deleteOldQuotes: (createdBefore, limit) =>
        deleteOldQuotes(connectDatabase(DATABASE_URL), NETWORK.chainId, createdBefore, limit),
    })
  },
}
