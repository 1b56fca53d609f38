import { bytesToHex } from 'viem'
import { connectDatabase } from '#schema/client.ts'
import { selectArchivableCompetitions } from '#schema/queries/auctions/archivedCompetitions.ts'
import { deleteArchivedCompetitions } from '#schema/queries/auctions/deleteArchivedCompetitions.ts'
import { selectChainDifference } from '#schema/queries/chain/chainDifferences.ts'
import { selectArchivableEvents } from '#schema/queries/events/archivedEvents.ts'
import { deleteArchivedEvents } from '#schema/queries/events/deleteArchivedEvents.ts'
import { deleteUnreferencedAppData } from '#schema/queries/orders/appData.ts'
import { deleteUnsignedOrders } from '#schema/queries/orders/deleteUnsignedOrders.ts'
import { deleteOldQuotes } from '#schema/queries/quotes/quotes.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { limitInvocations } from '#shared/connections/connectionLimit.ts'
import { computeLocationHint } from '#shared/connections/databaseLocation.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { NotReadyError } from '#shared/http/NotReadyError.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { connectOwnSolvers, findSolverFault } from '#shared/solvers/findSolverFault.ts'
import { moveCompetitions } from './archive/moveCompetitions.ts'
import { moveEvents } from './archive/moveEvents.ts'
import { removeOld } from './archive/removeOld.ts'
import { postWake } from './postWake.ts'
import { type Settings, settingsSchema } from './settings.ts'

/** Time limit of a statement over the content of one archive object. */
const archiveTimeoutMs = 20_000

/** Quotes deleted in one run; with a run per minute, more than seven million a day. */
const maxDeletedQuotes = 5_000
/** Orders deleted, and documents examined, in one run: 1.4 million a day. */
const maxDeleted = 1_000
const dayMs = 86_400_000

/** A difference between chain and index that lasts for this time makes the Worker not ready; most are repaired within two blocks. */
const readyDifferenceSeconds = 30

/** The network's clock: a single object, created near the database. */
const findClock = ({ CLOCK, NETWORK, DATABASE_URL }: Pick<Settings, 'CLOCK' | 'NETWORK' | 'DATABASE_URL'>) => {
  const locationHint = computeLocationHint(DATABASE_URL)
  return CLOCK.getByName(NETWORK.name, locationHint ? { locationHint } : {})
}

const worker = createWorker({
  settings: settingsSchema,
  routes: (settings) => [postWake({ wake: () => findClock(settings).wake() })],
  probes: (settings) => ({
    clock: () => findClock(settings).arm(),
    database: () => checkDatabase(connectDatabase(settings.DATABASE_URL)),
    rpc: () => connectChain(settings.RPC_URL).getChainId(),
    index: async () => {
      const difference = await selectChainDifference(
        connectDatabase(settings.DATABASE_URL),
        settings.NETWORK.chainId,
        readyDifferenceSeconds,
      )
      if (difference !== undefined) throw new NotReadyError(difference)
    },
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
  /** Watchdog: restarts a clock that lost its alarm within a minute, then deletes what has ended and moves old competitions. */
  scheduled: limitInvocations(async (_event: unknown, env: object): Promise<void> => {
    const settings = settingsSchema.safeParse(env)
    if (!settings.data) {
      const faults = describeFaults(settings.error)
      console.error(JSON.stringify({ message: 'auction clock watchdog stopped: invalid settings', settings: faults }))
      return
    }
    const { DATABASE_URL, NETWORK, QUOTE_RETENTION_DAYS: retentionDays } = settings.data
    const { ARCHIVE: bucket, ARCHIVE_AFTER_DAYS: archiveAfterDays } = settings.data
    await findClock(settings.data).arm()
    const { chainId } = NETWORK
    const store = connectDatabase(DATABASE_URL)
    const quotedBefore = new Date(Date.now() - retentionDays * dayMs)
    await removeOld('old quotes', () => deleteOldQuotes(store, chainId, quotedBefore, maxDeletedQuotes))
    await removeOld('unsigned orders', () => deleteUnsignedOrders(store, chainId, maxDeleted))
    // the documents of all networks, another part in each run
    const from = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
    await removeOld('app data documents', () => deleteUnreferencedAppData(store, from, maxDeleted))
    if (!bucket || archiveAfterDays === undefined) return
    const database = connectDatabase(DATABASE_URL, archiveTimeoutMs)
    const common = { now: Date.now, chainId, archiveAfterDays, bucket }
    await moveCompetitions({
      ...common,
      selectLines: (createdBefore, limits) => selectArchivableCompetitions(database, chainId, createdBefore, limits),
      deleteLines: (key, lines) => deleteArchivedCompetitions(database, chainId, key, lines),
    })
    await moveEvents({
      ...common,
      selectLines: (createdBefore, after, limits) =>
        selectArchivableEvents(database, chainId, createdBefore, after, limits),
      deleteLines: (part, lines) => deleteArchivedEvents(database, chainId, part, lines),
    })
  }),
}
