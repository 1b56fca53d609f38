import { connectDatabase } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { NotReadyError } from '#shared/http/NotReadyError.ts'
import { connectOwnSolvers, findSolverFault } from '#shared/solvers/findSolverFault.ts'
import { postWake } from './postWake.ts'
import { describeFaults, type Settings, settingsSchema } from './settings.ts'

export { AuctionClock } from './AuctionClock.ts'

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
  /** Watchdog: restarts a clock that lost its alarm within a minute. */
  async scheduled(_event: ScheduledController, env: object): Promise<void> {
    const settings = settingsSchema.safeParse(env)
    if (settings.data) await findClock(settings.data).arm()
    else
      console.error(
        JSON.stringify({
          message: 'auction clock watchdog stopped: invalid settings',
          settings: describeFaults(settings.error),
        }),
      )
  },
}
