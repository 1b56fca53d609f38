import { describeError } from '#shared/http/describeError.ts'
import { hasProtocol } from '../../doctor/reachDatabases.ts'
import { findPendingMigrations } from '../../stack/applyMigrations.ts'
import type { Plan } from '../planDeployment.ts'
import { toHost } from '../steps/toHost.ts'

/** @returns whether each database can be migrated, as far as can be checked */
export const reportMigrations = async (
  { databaseUrls, ownerUrls }: Plan,
  log: (line: string) => void,
): Promise<boolean> => {
  if (databaseUrls.length === 0) log('\nmigrations: unknown without DATABASE_URL')
  const looks = databaseUrls.map(async (databaseUrl) => {
    try {
      const pending = await findPendingMigrations(ownerUrls.get(databaseUrl) ?? databaseUrl)
      log(`\nmigrations: ${toHost(databaseUrl)} has pending: ${pending.join(', ') || 'none'}`)
      return true
    } catch (error) {
      log(
        `\nmigrations: ${toHost(databaseUrl)} cannot be migrated: ${describeError(error)}${await toHint(databaseUrl)}`,
      )
      return false
    }
  })
  return (await Promise.all(looks)).every(Boolean)
}

/** Workers reach a database by the protocol of Neon alone. */
const toHint = async (databaseUrl: string): Promise<string> =>
  URL.canParse(databaseUrl) && !(await hasProtocol(databaseUrl))
    ? '; Workers need a Neon database, and npm run serve takes any Postgres'
    : ''
