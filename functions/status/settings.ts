import { z } from 'zod'
import { DATABASE_URL, NETWORK, RPC_URL } from '#shared/settings/connectionSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import { SOLVERS } from '#shared/solvers/solverSettings.ts'

/** The environment of the status Worker; the service bindings named in `SOLVERS` pass through unparsed. */
export const settingsSchema = z.looseObject({
  NETWORK,
  DATABASE_URL,
  RPC_URL,
  SOLVERS,
  STATISTICS_SECONDS: setting(z.coerce.number().int().positive(), {
    description: 'greatest age of the statistics of the last 24 hours in status.json',
    scope: 'network',
    unit: 's',
    default: '60',
  }),
})
