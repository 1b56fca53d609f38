import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { connectDatabase } from '#schema/client.ts'

/** The connection of one run of migrations. */
export type MigrationSession = {
  /** Runs a statement outside a transaction, however long it takes. */
  run: (statement: string) => Promise<Record<string, unknown>[]>
  /**
   * Runs statements in one transaction.
   * @throws the Postgres error 55P03 when a lock is not free within `lockTimeoutMs`
   */
  runTogether: (statements: readonly string[]) => Promise<void>
  close: () => Promise<void>
}

/** Writers queue behind a waiting migration: this long at most, before it gives way. */
const lockTimeoutMs = 100
/** A migrating process has this advisory lock of the database. */
const advisoryLock = 7_264_011_905
/** Two runs are minutes apart at most; the second one has nothing left to do. */
const pollMs = 500
const maxPolls = 7_200
/** milliseconds; only the local stack, where nothing else waits */
const localTimeoutMs = 600_000

/**
 * Connects directly to a server, as a role that owns the tables, and waits until no other process migrates the
 * database. A pooled address of Neon is replaced by the direct one, because a pool has no sessions.
 * @param databaseUrl of any Postgres server
 * @throws Error when another process holds the lock for an hour
 */
export const connectMigrationSession = async (databaseUrl: string): Promise<MigrationSession> => {
  const client = new Client({ connectionString: toDirectUrl(databaseUrl), connectionTimeoutMillis: 30_000 })
  // a lost connection fails the running statement
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set lock_timeout = 0')
    await waitForTurn(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return {
    run: async (statement) => (await client.query<Record<string, unknown>>(statement)).rows,
    runTogether: async (statements) => {
      const whole = ['begin', `set local lock_timeout = ${lockTimeoutMs}`, ...statements.map(withoutEnd), 'commit']
      try {
        // one message, so that a lock is not held during round trips
        await client.query(whole.join('\n;\n'))
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    },
    close: () => client.end(),
  }
}

/** The same over Neon's HTTP protocol, for the database of a local stack, which has one client. */
export const connectLocalSession = (databaseUrl: string): MigrationSession => {
  const database = connectDatabase(databaseUrl, localTimeoutMs)
  return {
    run: async (statement) => (await database.execute(sql.raw(statement))).rows,
    runTogether: async (statements) => {
      const [first, ...rest] = statements.map((statement) => database.execute(sql.raw(statement)))
      if (first) await database.batch([first, ...rest])
    },
    close: async () => undefined,
  }
}

export const toDirectUrl = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  url.hostname = url.hostname.replace(/^([^.]+)-pooler(?=\.)/, '$1')
  return url.href
}

const withoutEnd = (statement: string): string => statement.replace(/[\s;]+$/, '')

/** Tries again and again: a statement that waits for the lock would have a snapshot, for which an index build waits. */
const waitForTurn = async (client: Client): Promise<void> => {
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_lock(${advisoryLock}) as free`)
    if (rows[0]?.free) return
    await sleep(pollMs)
  }
  throw new Error('another process has been migrating this database for an hour')
}
