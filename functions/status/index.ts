import { connectDatabase } from '#schema/client.ts'
import { selectAccountStatistics } from '#schema/queries/explorer/accountStatistics.ts'
import { selectNetworkStatistics } from '#schema/queries/explorer/networkStatistics.ts'
import { selectSolverStatistics } from '#schema/queries/explorer/solverStatistics.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { selectCurrentStatus } from '#schema/queries/status/selectCurrentStatus.ts'
import { selectRecentStatus } from '#schema/queries/status/selectRecentStatus.ts'
import { selectSuspensions } from '#schema/queries/status/selectSuspensions.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { connectOwnSolvers, findSolverFault } from '#shared/solvers/findSolverFault.ts'
import { getStatus } from './getStatus.ts'
import { settingsSchema } from './settings.ts'
import { getAccountStatistics } from './statistics/getAccountStatistics.ts'
import { getSolvers } from './statistics/getSolvers.ts'
import { getStatistics } from './statistics/getStatistics.ts'

export default createWorker({
  settings: settingsSchema,
  routes: ({ NETWORK: network, DATABASE_URL, RPC_URL, SOLVERS, ...env }) => {
    const { chainId } = network
    const database = connectDatabase(DATABASE_URL)
    const ownSolvers = connectOwnSolvers(SOLVERS, env)
    return [
      getStatus({
        chainId,
        knownSolvers: SOLVERS,
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
      getStatistics({ now: Date.now, selectNetworkStatistics: () => selectNetworkStatistics(database, network) }),
      getAccountStatistics({
        now: () => Math.floor(Date.now() / 1_000),
        selectAccountStatistics: (account, now) => selectAccountStatistics(database, network, account, now),
      }),
      getSolvers({
        knownSolvers: SOLVERS,
        now: Date.now,
        selectSolverStatistics: () => selectSolverStatistics(database, chainId),
        selectSuspensions: () => selectSuspensions(database, chainId),
      }),
    ]
  },
  probes: ({ DATABASE_URL, RPC_URL }) => ({
    database: () => checkDatabase(connectDatabase(DATABASE_URL)),
    rpc: () => connectChain(RPC_URL).getChainId(),
  }),
})
