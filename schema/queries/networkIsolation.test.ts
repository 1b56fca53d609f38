import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { networks } from '#shared/networks.ts'
import { findUnboundTables } from '#test/helpers/database/findUnboundTables.ts'
import { networkHistory, otherHistory } from '#test/helpers/database/networkHistory.ts'
import { networkReads } from '#test/helpers/database/networkReads.ts'
import {
  copyNetworkRows,
  deleteNetworkRows,
  moveNetworkRows,
  type NetworkRows,
  readNetworkRows,
  type Shift,
  toComparable,
} from '#test/helpers/database/networkRows.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'

const { chainId } = networks.sepolia
const other = networks.gnosis.chainId

/** `alone`: the network's rows after each step, without another network; `first` is the start time. */
let store: TestDatabase
let alone: Stage[]
let startedAt: number

beforeAll(async () => {
  store = await startTestDatabase()
  startedAt = Date.now()
  alone = await runHistory()
})
afterAll(() => store?.close())

const clear = async () => {
  await deleteNetworkRows(store.database, chainId)
  await deleteNetworkRows(store.database, other)
}

type Stage = { rows: NetworkRows; result: string | undefined }

/** Runs every step and reads the network's rows after each. */
const runHistory = async (): Promise<Stage[]> => {
  const stages: Stage[] = []
  for (const [, run] of networkHistory) {
    const result = toText(await run(store.database, chainId))
    stages.push({ rows: await readNetworkRows(store.database, chainId), result })
  }
  return stages
}

/** A result without values of a sequence; undefined for a number, which is such a value. */
const toText = (result: unknown): string | undefined =>
  typeof result === 'number'
    ? undefined
    : JSON.stringify(result, (key, value) =>
        key === 'quoteId' ? undefined : typeof value === 'bigint' ? String(value) : value,
      )

/** All rows that the network ever had; the first of those with the same key is copied. */
const joinStages = (stages: readonly Stage[]): NetworkRows =>
  Object.fromEntries(
    Object.keys(stages[0]?.rows ?? {}).map((table) => [table, stages.flatMap(({ rows }) => rows[table] ?? [])]),
  )

describe('writes', () => {
  beforeEach(clear)

  test('the history has rows in every table of networks', () => {
    const empty = Object.entries(joinStages(alone)).flatMap(([table, rows]) => (rows.length === 0 ? [table] : []))
    // the operator writes those
    expect(empty).toEqual(['affiliate_payouts'])
  })

  test.each<[what: string, isCopied: (table: string) => boolean]>([
    ['with the same keys', () => true],
    ['whose log is not written yet', (table) => table !== 'order_events' && table !== 'notifications'],
  ])(
    'no write changes a row of another network %s',
    async (_, isCopied) => {
      const { database } = store
      for (const [name, run] of networkHistory) {
        const before = await readNetworkRows(database, chainId)
        await deleteNetworkRows(database, other)
        await copyNetworkRows(
          database,
          other,
          Object.fromEntries(Object.entries(before).filter(([table]) => isCopied(table))),
        )
        const others = await readNetworkRows(database, other)
        await run(database, chainId)
        expect(await readNetworkRows(database, other), name).toEqual(others)
        expect(await readNetworkRows(database, chainId), `${name} writes`).not.toEqual(before)
      }
    },
    60_000,
  )

  test.each<[what: string, order: (stages: Stage[]) => Stage[], shift: Shift]>([
    ['as this one has them first', (stages) => stages, { amount: 0, seconds: 0 }],
    ['as this one has them at last', (stages) => stages.toReversed(), { amount: 0, seconds: 0 }],
    ['with later times and larger amounts', (stages) => stages, { amount: 1, seconds: 3_600 }],
    ['with earlier times', (stages) => stages.toReversed(), { amount: 0, seconds: -3_600 }],
  ])(
    'no write depends on rows of another network: %s',
    async (_, order, shift) => {
      await copyNetworkRows(store.database, other, joinStages(order(alone)), shift)
      const beside = await runHistory()
      for (const [i, [name]] of networkHistory.entries()) {
        const [rows, expected] = [beside[i]?.rows ?? {}, alone[i]?.rows ?? {}]
        expect(toComparable(rows, startedAt), name).toEqual(toComparable(expected, startedAt))
        expect(beside[i]?.result, name).toBe(alone[i]?.result)
      }
    },
    60_000,
  )
})

describe('reads', () => {
  /** The log is readable up to the oldest open transaction of the server. */
  const waitForLog = async (): Promise<void> => {
    const mark = await store.database.execute<{ id: string }>(sql`select pg_current_xact_id()::text as id`)
    const isReadable = async () => {
      const found = await store.database.execute<{ passed: boolean }>(
        sql`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > ${mark.rows[0]?.id}::bigint as passed`,
      )
      return found.rows[0]?.passed
    }
    await vi.waitFor(async () => expect(await isReadable()).toBe(true), { timeout: 45_000 })
  }
  const readAll = async (): Promise<Record<string, unknown>> => {
    await waitForLog()
    const results: Record<string, unknown> = {}
    for (const [name, read] of Object.entries(networkReads)) results[name] = sortRows(await read(store.database))
    return results
  }
  let expected: Record<string, unknown>

  beforeAll(async () => {
    await clear()
    await runHistory()
    expected = await readAll()
  })
  beforeEach(() => deleteNetworkRows(store.database, other))

  test.each(Object.keys(networkReads))('%s finds something', (name) => {
    expect(expected[name]).toBeTruthy()
    expect(expected[name]).not.toEqual([])
  })

  test.each<[what: string, isCopied: (i: number) => boolean, shift: Shift]>([
    ['all of them', () => true, { amount: 0, seconds: 0 }],
    ['with later times and larger amounts', () => true, { amount: 1, seconds: 3_600 }],
    ['with earlier times', () => true, { amount: 0, seconds: -3_600 }],
    ['every second row', (i) => i % 2 === 0, { amount: 1, seconds: 0 }],
    ['every other row', (i) => i % 2 === 1, { amount: 1, seconds: 0 }],
  ])('no query returns what depends on rows of another network: %s', async (_, isCopied, shift) => {
    for (const [, run] of otherHistory) await run(store.database, other)
    const rows = Object.entries(joinStages(alone.toReversed()))
    const copied = Object.fromEntries(rows.map(([table, members]) => [table, members.filter((_, i) => isCopied(i))]))
    await copyNetworkRows(store.database, other, copied, shift)
    await moveNetworkRows(store.database, chainId)
    const found = await readAll()
    for (const name of Object.keys(networkReads)) {
      const roughly = withoutClock(expected[name], (seconds) => expect.closeTo(seconds, -3))
      expect(
        withoutClock(found[name], (seconds) => seconds),
        name,
      ).toEqual(roughly)
    }
  })
})

test('every statement of the history and the reads binds each table to one network', async () => {
  const columns = await store.database.execute<{ table: string }>(
    sql`select table_name as table from information_schema.columns
      where table_schema = 'public' and column_name = 'chain_id'`,
  )
  const tables = new Set(columns.rows.map(({ table }) => table))
  // the test itself copies rows
  const statements = [...store.statements].filter((statement) => !statement.includes('/* between networks */'))
  const unbound = statements.flatMap((statement) =>
    findUnboundTables(statement, tables).map((table) => `${table}: ${statement}`),
  )
  expect(statements.length).toBeGreaterThan(200)
  expect(unbound).toEqual([])
})

/** The order of rows of several queries is undefined. */
const sortRows = (rows: unknown): unknown => {
  if (!Array.isArray(rows)) return rows
  const toText = (row: unknown): string =>
    JSON.stringify(row, (key, value) =>
      key.endsWith('Seconds') ? undefined : typeof value === 'bigint' ? String(value) : value,
    )
  return rows.toSorted((a, b) => (toText(a) < toText(b) ? -1 : 1))
}

/** Without the log's readable position, and with tolerance for ages: both change while the test runs. */
const withoutClock = (value: unknown, age: (seconds: number) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((member) => withoutClock(member, age))
  if (value instanceof Set || value instanceof Map) return [...value].map((member) => withoutClock(member, age))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (key === 'horizon' || (key === 'position' && 'isLast' in value)) return []
      return [[key, key.endsWith('Seconds') && member !== null ? age(member) : withoutClock(member, age)]]
    }),
  )
}

test('every query with a chain id is in the history, among the reads, or part of another query', async () => {
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const sources = await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), 'utf8')))
  const queries = sources.flatMap((source) =>
    [...source.matchAll(/^export const (\w+) = (?:async )?\(([^)]*)\)/gm)].flatMap(([, name, parameters]) =>
      name && parameters?.includes('chainId: number') ? [name] : [],
    ),
  )
  const isPart = (name: string) => sources.filter((source) => source.includes(`${name}(`)).length > 0
  const history = await readFile(join(import.meta.dirname, '../../test/helpers/database/networkHistory.ts'), 'utf8')
  const untested = queries.filter((name) => !(name in networkReads) && !history.includes(`${name}(`) && !isPart(name))
  expect(queries).toContain('updateChain')
  expect(untested, 'belong in test/helpers/database/networkReads.ts or networkHistory.ts').toEqual([])
})
