import { z } from 'zod'
import { connectDatabase } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/checkDatabase.ts'
import { selectCurrentStatus, selectRecentStatus } from '#schema/queries/networkStatus.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { solverListSchema } from '#shared/solvers/solverList.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkSchema } from '#shared/validation/network.ts'
import { getStatus } from './getStatus.ts'

const settings = z.object({
  NETWORK: networkSchema,
  DATABASE_URL: databaseUrlSchema,
  RPC_URL: z.url({ error: 'the URL of a JSON-RPC endpoint' }),
  /** tells their names, and which of them gave nothing */
  SOLVERS: solverListSchema,
})

export default createWorker({
  settings,
  routes: ({ NETWORK: { chainId }, DATABASE_URL, RPC_URL, SOLVERS }) => {
    const database = connectDatabase(DATABASE_URL)
    return [
      getStatus({
        chainId,
        knownSolvers: SOLVERS,
        now: Date.now,
        selectCurrentStatus: () => selectCurrentStatus(database, chainId),
        selectRecentStatus: () => selectRecentStatus(database, chainId),
        findHead: () => connectChain(RPC_URL).getBlock({ blockTag: 'latest' }),
      }),
    ]
  },
  probes: ({ DATABASE_URL, RPC_URL }) => ({
    database: () => checkDatabase(connectDatabase(DATABASE_URL)),
    rpc: () => connectChain(RPC_URL).getChainId(),
  }),
})
