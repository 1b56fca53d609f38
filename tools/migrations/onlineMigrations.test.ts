import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { createOnServer } from '#test/helpers/database/server/createOnServer.ts'
import { writeMigrations } from '#test/helpers/database/writeMigrations.ts'
import { insertHistory } from '#tools/bench/history/insertHistory.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { computeMigrationFaults } from '../lint/migrations/computeMigrationFaults.ts'
import { migrate } from '../stack/applyMigrations.ts'
import { connectMigrationSession } from './migrationSession.ts'

const server = process.env.TEST_DATABASE_URL
const isLong = Boolean(process.env.LONG)
const orders = Number(process.env.HISTORY_ORDERS ?? (isLong ? 1_000_000 : 200))
const patienceMs = isLong ? 1_800_000 : 120_000
/**
 * A write that waits longer for a lock fails: the bound itself, or, beside other tests, only a sign of a standstill.
 */
const maxWaitMs = isLong ? 200 : 30_000
/** with these a write has to wait */
const blockingModes = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/** One migration of every kind that the rules allow, on the tables that each order writes. */
const allowed = [
  ['alter table order_events add column note text', "alter table orders add column lane text default 'a' not null"],
  ['create index concurrently events_note on order_events (note, created_at)'],
  ['create unique index concurrently orders_lane on orders (lane, chain_id, uid)'],
  ['alter table orders add constraint orders_lane_once unique using index orders_lane'],
  ["alter table order_events add constraint keyed check (key <> '') not valid"],
  ['alter table order_events validate constraint keyed'],
  [
    'create table lanes (name text primary key)',
    "insert into lanes values ('a')",
    'create table other_lanes (name text references lanes (name))',
  ],
  ['alter table orders add constraint orders_lanes foreign key (lane) references lanes (name) not valid'],
  ['alter table orders validate constraint orders_lanes'],
  [
    'alter table order_events add constraint labelled check (label is not null) not valid',
    'alter table order_events validate constraint labelled',
    'alter table order_events alter column label drop not null',
    'alter table order_events alter column label set not null',
    'alter table order_events drop constraint labelled',
  ],
  ["alter table order_events alter column note set default 'x'", "alter type order_event_label add value 'moved'"],
  ['drop index concurrently events_note'],
  ['alter table order_events\n-- reviewed: added by this test\ndrop column note'],
]

describe.skipIf(!server)(`on a server with ${orders} orders`, () => {
  const open: Client[] = []
  let folder: string
  let database: Awaited<ReturnType<typeof createOnServer>>
  let connection: string
  let applied: string[]
  let written = 0

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migrations-'))
    database = await createOnServer(server ?? '')
    connection = database.url
    const session = await connectMigrationSession(connection)
    await migrate(session)
    await session.run('drop schema drizzle cascade')
    await session.close()
    await insertHistory(connection, networks.sepolia.chainId, orders)
    applied = []
  }, patienceMs)

  afterAll(async () => {
    await Promise.all(open.map((client) => client.end()))
    await database?.drop()
    await rm(folder, { recursive: true })
  }, 60_000)

  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: connection })
    await client.connect()
    open.push(client)
    await client.query(`set lock_timeout = ${maxWaitMs}`)
    return client
  }

  /** Writes what a new order writes to the two largest tables. */
  const write = async (client: Client): Promise<void> => {
    written += 1
    const chain = 900_000_000 + written
    await client.query(`with source as (select * from orders where chain_id = ${networks.sepolia.chainId} limit 1)
      insert into orders (chain_id, uid, owner, sell_token, buy_token, sell_amount, buy_amount, valid_to, app_data_hash,
        fee_amount, kind, partially_fillable, sell_token_balance, buy_token_balance, signing_scheme, signature,
        settlement_contract, class, full_balance_check)
      select ${chain}, uid, owner, sell_token, buy_token, sell_amount, buy_amount, valid_to, app_data_hash, fee_amount, kind,
        partially_fillable, sell_token_balance, buy_token_balance, signing_scheme, signature, settlement_contract, class,
        full_balance_check from source`)
    await client.query(`insert into order_events (chain_id, order_uid, key, label)
      select ${chain}, uid, 'created', 'created' from orders where chain_id = ${chain}`)
  }

  /** Adds a migration and starts it. */
  const start = async (...statements: string[]) => {
    applied.push(statements.join('\n--> statement-breakpoint\n'))
    await writeMigrations(folder, applied)
    const session = await connectMigrationSession(connection)
    const [{ pid } = {}] = await session.run('select pg_backend_pid() as pid')
    const state = { isRunning: true }
    const running = migrate(session, folder).finally(async () => {
      state.isRunning = false
      await session.close()
    })
    // awaited later
    running.catch(() => undefined)
    return { pid: Number(pid), state, running }
  }

  const isWaitingForLock = async (watcher: Client, pid: number): Promise<boolean> => {
    const { rows } = await watcher.query(
      `select from pg_stat_activity where pid = ${pid} and state = 'active' and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  }

  const findModes = async (watcher: Client, pid: number): Promise<string[]> => {
    const { rows } = await watcher.query<{ mode: string }>(
      `select mode from pg_locks where pid = ${pid} and granted and relation in ('orders'::regclass, 'order_events'::regclass)`,
    )
    return rows.map(({ mode }) => mode)
  }

  test('an index build that waits for a transaction has no lock that a write waits for', {
    timeout: patienceMs,
  }, async () => {
    const [held, writer] = [await connect(), await connect()]
    await held.query('begin')
    await write(held)
    const { pid, state, running } = await start('create index concurrently events_data on order_events (created_at)')
    await waitUntil('the build waits', () => isWaitingForLock(writer, pid), { timeoutMs: patienceMs, intervalMs: 5 })
    const modes = await findModes(writer, pid)
    expect(modes.length).toBeGreaterThan(0)
    expect(modes.filter((mode) => blockingModes.includes(mode))).toEqual([])
    for (let i = 0; i < 5; i += 1) await write(writer)
    expect(state.isRunning).toBe(true)
    await held.query('commit')
    expect(await running).toBe(1)
  })

  test('a change of a table gives way to writes while a transaction locks the table', {
    timeout: patienceMs,
  }, async () => {
    const [held, writer, watcher] = [await connect(), await connect(), await connect()]
    await held.query('begin')
    await write(held)
    const { pid, state, running } = await start('alter table order_events add column extra text')
    for (let i = 0; i < 3; i += 1) {
      await waitUntil('the change waits', () => isWaitingForLock(watcher, pid), {
        timeoutMs: patienceMs,
        intervalMs: 5,
      })
      await write(writer)
    }
    expect(state.isRunning).toBe(true)
    await held.query('commit')
    expect(await running).toBe(1)
  })

  test('two runs at once apply each migration once', { timeout: patienceMs }, async () => {
    const first = await start('create table once (id int)')
    const count = applied.length
    const second = connectMigrationSession(connection).then(async (session) => {
      const result = await migrate(session, folder)
      await session.close()
      return result
    })
    expect([await first.running, await second]).toEqual([1, 0])
    const watcher = await connect()
    const { rows } = await watcher.query('select from drizzle.__drizzle_migrations')
    expect(rows).toHaveLength(count)
  })

  test(`every kind of migration that the rules allow runs beside writes`, { timeout: patienceMs }, async () => {
    const texts = allowed.map((statements) => statements.join('\n--> statement-breakpoint\n'))
    for (const text of texts) expect(computeMigrationFaults('0099_test.sql', text)).toEqual([])
    const writers = await Promise.all(Array.from({ length: 4 }, connect))
    const counts = writers.map(() => 0)
    let isDone = false
    const writing = writers.map(async (writer, index) => {
      while (!isDone) {
        await write(writer)
        counts[index] = (counts[index] ?? 0) + 1
        await sleep(1)
      }
    })
    const migrating = (async () => {
      for (const text of texts) expect(await (await start(text)).running).toBe(1)
    })().finally(() => {
      isDone = true
    })
    await Promise.all([migrating, ...writing])
    expect(Math.min(...counts)).toBeGreaterThan(0)
  })
})
