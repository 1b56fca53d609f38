import { sql } from 'drizzle-orm'
import { connectDatabase } from '#schema/client.ts'
import { describeError } from '#shared/http/describeError.ts'
import { findRightsRemedy } from '../migrations/findRightsRemedy.ts'
import { findPendingMigrations } from '../stack/applyMigrations.ts'
import { checkGrowth } from './checkGrowth.ts'
import { findGrowth } from './findGrowth.ts'
import { type DoctorFinding, limited, ok, wrong } from './finding.ts'

const maxSkewSeconds = 30
/** Oldest major version of Postgres that the plans of the queries are measured on. */
const measuredVersion = 16

/**
 * Whether a database responds over Neon's protocol, has the right time and the newest schema, and how it grows.
 * @param options.migrates pending migrations are applied afterwards
 * @param options.isForRows another role owns the tables: this one must not define any
 * @param options.limitBytes its largest size; null: the one that Neon reports
 */
export const diagnoseDatabase = async (
  databaseUrl: string,
  {
    now = Date.now,
    limitBytes = null,
    isForRows = false,
    migrates = false,
  }: { now?: () => number; limitBytes?: number | null; isForRows?: boolean; migrates?: boolean } = {},
): Promise<DoctorFinding[]> => {
  const name = `database ${URL.parse(databaseUrl)?.hostname ?? ''}`.trim()
  try {
    const { rows } = await connectDatabase(databaseUrl).execute<{ seconds: number; version: number }>(
      sql`select extract(epoch from now())::int as seconds, current_setting('server_version_num')::int / 10000 as version`,
    )
    const skew = Math.abs(Number(rows[0]?.seconds) - Math.round(now() / 1_000))
    const time =
      skew <= maxSkewSeconds
        ? ok(`${name}, clock`, `${skew} s from here`)
        : wrong(`${name}, clock`, `${skew} s from here`, 'set the clock of this machine')
    const { isCurrent, migrations } = await checkMigrations(name, databaseUrl, migrates)
    // tables of another schema have other names
    const growth = isCurrent ? await diagnoseGrowth(name, databaseUrl, limitBytes) : []
    const role = isForRows ? [await checkRole(name, databaseUrl)] : []
    return [checkVersion(name, Number(rows[0]?.version)), time, migrations, ...role, ...growth]
  } catch (error) {
    const remedy = 'set DATABASE_URL to the connection string of the database; a project of Neon may be suspended'
    return [wrong(name, describeError(error), remedy)]
  }
}

const checkVersion = (name: string, version: number): DoctorFinding =>
  version >= measuredVersion
    ? ok(name, `Postgres ${version}`)
    : limited(name, `Postgres ${version}`, `plans are measured on Postgres ${measuredVersion} and later`)

/** With `MIGRATIONS_DATABASE_URL` the Workers' role is to read and write rows only. */
const checkRole = async (name: string, databaseUrl: string): Promise<DoctorFinding> => {
  const label = `${name}, role`
  const { rows } = await connectDatabase(databaseUrl).execute<{ creates: boolean | null; target: string }>(
    sql`select has_schema_privilege(current_schema(), 'CREATE') as creates,
      format('%I from public, %I', current_schema(), current_user) as target`,
  )
  const [row] = rows
  if (!row?.creates) return ok(label, 'reads and writes rows only')
  return limited(
    label,
    'the role of DATABASE_URL can create tables, although MIGRATIONS_DATABASE_URL is set',
    `as the owner of the schema run: revoke create on schema ${row.target}; ` +
      'a role that owns the schema, or inherits the right, has to be replaced (docs/deploy.md, "A role for the Workers")',
  )
}

const diagnoseGrowth = async (
  name: string,
  databaseUrl: string,
  limitBytes: number | null,
): Promise<DoctorFinding[]> => {
  try {
    const growth = await findGrowth(connectDatabase(databaseUrl))
    return checkGrowth(name, growth, limitBytes ?? growth.limitBytes)
  } catch (error) {
    return [limited(`${name}, growth`, describeError(error), 'run it again when the database has less to do')]
  }
}

const checkMigrations = async (
  name: string,
  databaseUrl: string,
  migrates: boolean,
): Promise<{ isCurrent: boolean; migrations: DoctorFinding }> => {
  const label = `${name}, migrations`
  try {
    const pending = await findPendingMigrations(databaseUrl)
    const detail =
      pending.length > 0
        ? `${pending.join(', ')} pending`
        : (await isOrderLogAhead(databaseUrl)) && 'order events of another cluster, of which the newest are unreadable'
    if (!detail) return { isCurrent: true, migrations: ok(label, 'up to date') }
    const remedy = 'npm run deploy and npm run serve mend it before anything else'
    return { isCurrent: false, migrations: migrates ? ok(label, detail) : wrong(label, detail, remedy) }
  } catch (error) {
    const remedy =
      findRightsRemedy(error) ?? 'check out the sources that belong to this database; docs/deploy.md, "Rolling back"'
    return { isCurrent: false, migrations: wrong(label, describeError(error), remedy) }
  }
}

const isOrderLogAhead = async (databaseUrl: string): Promise<boolean> => {
  const { rows } = await connectDatabase(databaseUrl).execute<{ ahead: boolean }>(
    sql`select is_order_log_ahead() as ahead`,
  )
  return rows[0]?.ahead === true
}
