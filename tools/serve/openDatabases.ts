import { randomBytes } from 'node:crypto'
import { describeError } from '#shared/http/describeError.ts'
import type { DeploymentSettings, Settings } from '../deploy/readSettings.ts'
import { toHost } from '../deploy/steps/toHost.ts'
import { type DoctorFinding, wrong } from '../doctor/finding.ts'
import { findOwnerUrls } from '../migrations/findOwnerUrls.ts'
import { findRightsRemedy } from '../migrations/findRightsRemedy.ts'
import { readRole } from '../migrations/grantRows.ts'
import { nameDatabase } from '../migrations/nameDatabase.ts'
import { applyMigrations } from '../stack/applyMigrations.ts'
import { openPostgres } from '../stack/database/openPostgres.ts'
import type { SqlBackend } from '../stack/database/sqlBackend.ts'
import { type DatabaseEndpoint, databaseEndpoint } from '../stack/databaseEndpoint.ts'
import { log } from './log.ts'

export type Databases = {
  /** `DATABASE_URL` of each database, as configured */
  urls: readonly string[]
  /** the connection string with which the Workers reach a database */
  toEndpoint: (databaseUrl: string) => string
  /** the settings with these connection strings */
  replace: (settings: DeploymentSettings) => DeploymentSettings
  /** Applies pending migrations. @returns what is wrong */
  migrate: () => Promise<DoctorFinding[]>
  close: () => Promise<void>
}

/** Opens each Postgres server of the settings, and an endpoint with Neon's protocol in front of it. */
export const openDatabases = async (settings: DeploymentSettings): Promise<Databases> => {
  const configured = [...settings.networks.values(), settings.shared]
  const owners = findOwnerUrls(configured)
  // roles of one database share its endpoint
  const urls = new Map(
    configured.flatMap(({ DATABASE_URL: url }) => (url ? [[nameDatabase(url), url] as const] : [])).toReversed(),
  )
  const opened = new Map<string, { backend: SqlBackend; endpoint: DatabaseEndpoint }>()
  for (const [name, url] of urls) {
    const backend = openPostgres(url)
    const access = { name: `database${opened.size}`, password: randomBytes(16).toString('hex') }
    opened.set(name, { backend, endpoint: await databaseEndpoint({ backend, port: 0, access }) })
  }
  const toEndpoint = (url: string) => opened.get(nameDatabase(url))?.endpoint.databaseUrl ?? url
  const replaceIn = ({ MIGRATIONS_DATABASE_URL, DATABASE_URL, ...others }: Settings): Settings =>
    DATABASE_URL ? { ...others, DATABASE_URL: toEndpoint(DATABASE_URL) } : others
  return {
    urls: [...urls.values()],
    toEndpoint,
    replace: ({ shared, networks }) => ({
      shared: replaceIn(shared),
      networks: new Map([...networks].map(([name, own]) => [name, replaceIn(own)])),
    }),
    migrate: async () => {
      const findings: DoctorFinding[] = []
      for (const url of urls.values()) {
        findings.push(...(await migrate(url, owners.get(url))))
      }
      return findings
    },
    close: async () => {
      for (const { backend, endpoint } of opened.values()) {
        await endpoint.close()
        await backend.close()
      }
    },
  }
}

const migrate = async (url: string, ownerUrl: string | undefined): Promise<DoctorFinding[]> => {
  const name = `database ${toHost(url)}`
  try {
    const workersRole = ownerUrl === undefined ? undefined : readRole(url)
    const applied = await applyMigrations(ownerUrl ?? url, { isServer: true, workersRole })
    log({ message: 'database migrated', database: toHost(url), applied })
    return []
  } catch (error) {
    return [
      wrong(
        name,
        describeError(error),
        findRightsRemedy(error) ??
          'set DATABASE_URL to the connection string of a Postgres server; for sources older than its database see docs/deploy.md, "Rolling back"',
      ),
    ]
  }
}
