import { connectDatabase } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
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
        database,
        chainId,
        knownSolvers: SOLVERS,
        now: Date.now,
        findHead: () => connectChain(RPC_URL).getBlock({ blockTag: 'latest' }),
        findSolverFaults: async () => {
          const faults = await Promise.all(
            ownSolvers.map(async (solver) => [solver.address, await findSolverFault(solver)] as const),
          )
          return new Map(faults.flatMap(([address, fault]) => (fault === undefined ? [] : [[address, fault]])))
        },
      }),
      getStatistics({ database, network, now: Date.now }),
      getAccountStatistics({ database, network, now: Date.now }),
      getSolvers({ database, chainId, knownSolvers: SOLVERS, now: Date.now }),
    ]
  },
  probes: ({ DATABASE_URL, RPC_URL }) => ({
    database: () => checkDatabase(connectDatabase(DATABASE_URL)),
    rpc: () => connectChain(RPC_URL).getChainId(),
  }),
})
