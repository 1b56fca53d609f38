import { connectDatabase } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { selectCurrentStatus, selectRecentStatus } from '#schema/queries/status/networkStatus.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { connectOwnSolvers, findSolverFault } from '#shared/solvers/findSolverFault.ts'
import { getStatus } from './getStatus.ts'
import { settingsSchema } from './settings.ts'

export default createWorker({
  settings: settingsSchema,
  routes: ({ NETWORK: { chainId }, DATABASE_URL, RPC_URL, SOLVERS, STATISTICS_SECONDS, ...env }) => {
    const database = connectDatabase(DATABASE_URL)
    const ownSolvers = connectOwnSolvers(SOLVERS, env)
    return [
      getStatus({
        chainId,
        knownSolvers: SOLVERS,
        statisticsMs: STATISTICS_SECONDS * 1_000,
        now: Date.now,
        selectCurrentStatus: () => selectCurrentStatus(database, chainId),
        selectRecentStatus: () => selectRecentStatus(database, chainId),
        findHead: () => connectChain(RPC_URL).getBlock({ blockTag: 'latest' }),
        findSolverFaults: async () => {
          const faults = await Promise.all(
            ownSolvers.map(async (solver) => [solver.address, await findSolverFault(solver)] as const),
          )
          return new Map(faults.flatMap(([address, fault]) => (fault === undefined ? [] : [[address, fault]])))
        },
      }),
    ]
  },
  probes: ({ DATABASE_URL, RPC_URL }) => ({
    database: () => checkDatabase(connectDatabase(DATABASE_URL)),
    rpc: () => connectChain(RPC_URL).getChainId(),
  }),
})
