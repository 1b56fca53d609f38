import { z } from 'zod'
import { connectDatabase } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/checkDatabase.ts'
import { selectCurrentAuction } from '#schema/queries/currentAuction.ts'
import { selectDebugReport } from '#schema/queries/debugReport.ts'
import {
  selectLatestAuctionId,
  selectSettledAuctionId,
  selectSolverCompetition,
} from '#schema/queries/solverCompetition.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkSchema } from '#shared/validation/network.ts'
import { getAuction } from './getAuction.ts'
import { getDebugReport } from './getDebugReport.ts'
import { getSolverCompetition } from './getSolverCompetition.ts'

const settings = z
  .object({
    NETWORK: networkSchema,
    DATABASE_URL: databaseUrlSchema,
    DEBUG_TOKEN: z.string().min(1).optional(),
  })
  .transform(({ NETWORK, DATABASE_URL, DEBUG_TOKEN }) => ({
    chainId: NETWORK.chainId,
    database: connectDatabase(DATABASE_URL),
    token: DEBUG_TOKEN,
  }))

export default createWorker({
  settings,
  routes: ({ chainId, database, token }) => [
    getDebugReport({
      token,
      findReport: (uid) => selectDebugReport(database, chainId, uid),
      now: () => Math.floor(Date.now() / 1000),
    }),
    getSolverCompetition({
      findLatestAuctionId: () => selectLatestAuctionId(database, chainId),
      findSettledAuctionId: (transactionHash) => selectSettledAuctionId(database, chainId, transactionHash),
      findCompetition: (auctionId) => selectSolverCompetition(database, chainId, auctionId),
    }),
    getAuction({ findCurrentAuction: () => selectCurrentAuction(database, chainId) }),
  ],
  probes: ({ database }) => ({ database: () => checkDatabase(database) }),
})
