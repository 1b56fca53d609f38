import { z } from 'zod'
import { DATABASE_URL, NETWORK, RPC_URL } from '#shared/settings/connectionSettings.ts'
import { SOLVERS } from '#shared/solvers/solverSettings.ts'

/** The environment of the status Worker; the service bindings named in `SOLVERS` pass through unparsed. */
export const settingsSchema = z.looseObject({
  NETWORK,
  DATABASE_URL,
  RPC_URL,
  SOLVERS,
})
