import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { connectMigrationSession } from '../migrations/migrationSession.ts'
import { migrate } from '../stack/applyMigrations.ts'
import { checkStreams } from './checkStreams.ts'
import { findPostgresPrograms, startCluster } from './startCluster.ts'
import { compareFacts, findTableFacts, type TableFacts } from './tableFacts.ts'

const run = promisify(execFile)
const restoreJobs = '2'

/**
 * Dumps a database, restores it into another cluster, and checks the copy: rows and sampled contents of every table,
 * and that streams continue. Only reads the source.
 * @param options.target URL of an empty database that the drill may change; a temporary cluster when omitted
 * @returns what is wrong; empty when the copy can serve
 * @throws Error without Postgres' programs, or when a program fails
 */
export const drillRestore = async (options: {
  source: string
  target: string | undefined
  log: (line: string) => void
}): Promise<string[]> => {
  const { source, log } = options
  const programs = findPostgresPrograms()
  if (!programs) throw new Error('install PostgreSQL, or set PG_BIN to the folder of pg_dump')
  const measure = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const begin = performance.now()
    const result = await work()
    log(`${what}: ${((performance.now() - begin) / 1_000).toFixed(1)} s`)
    return result
  }
  const folder = await mkdtemp(join(tmpdir(), 'edgebook-dump-'))
  const file = join(folder, 'dump')
  const cluster = options.target ? undefined : await measure('start a cluster', () => startCluster(programs))
  const target = options.target ?? cluster?.url ?? ''
  try {
    if ((await readFacts(target)).length > 0) throw new Error('the target is not empty')
    const before = await measure('dump', () => dump(programs, source, file))
    log(`dump: ${Math.ceil((await stat(file)).size / 1024)} KiB, ${before.length} tables`)
    await measure('restore', () =>
      runProgram(programs, 'pg_restore', target, [
        '--exit-on-error',
        '--no-owner',
        '--no-privileges',
        '--jobs',
        restoreJobs,
        file,
      ]),
    )
    const differences = compareFacts(before, await measure('compare', () => readFacts(target)))
    await measure('migrate and continue the log', async () => {
      const session = await connectMigrationSession(target)
      await migrate(session).finally(session.close)
    })
    return [...differences, ...(await measure('read streams', () => checkStreams(target)))]
  } finally {
    await cluster?.stop()
    await rm(folder, { recursive: true })
  }
}

const readFacts = async (url: string): Promise<TableFacts[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  return findTableFacts(client).finally(() => client.end())
}

/** Facts and dump are of one snapshot, while the source is written to. */
const dump = async (programs: string, source: string, file: string): Promise<TableFacts[]> => {
  const client = new Client({ connectionString: source })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ name: string }>('select pg_export_snapshot() as name')
    const snapshot = rows[0]?.name ?? ''
    const options = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`, '--file', file]
    await runProgram(programs, 'pg_dump', source, options)
    return await findTableFacts(client)
  } finally {
    await client.end()
  }
}

/** The password is in the environment: every user of the machine sees arguments. */
const runProgram = async (programs: string, program: string, database: string, args: string[]): Promise<void> => {
  const url = new URL(database)
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(url.password) }
  url.password = ''
  await run(join(programs, program), ['--dbname', url.href, ...args], { env })
}
