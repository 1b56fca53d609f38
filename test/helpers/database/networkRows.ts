import { sql } from 'drizzle-orm'
import type { Database } from '#schema/client.ts'
import { runBatch } from '#schema/queries/fragments/runBatch.ts'

type Row = Record<string, unknown>
/** Table → its rows of one network, as JSON. */
export type NetworkRows = Record<string, Row[]>

export type Shift = { amount: number; seconds: number }

type Column = { table: string; name: string; type: string; isIdentity: boolean }

/** Columns that differ between two runs of the same steps: from a sequence, or set by the database. */
const drawn = new Set(['id', 'event_id', 'quote_id', 'written_by'])

const known = new WeakMap<Database, Promise<Column[]>>()

/** Columns of all tables with rows of networks, read once. */
const listColumns = (database: Database): Promise<Column[]> => {
  const columns = known.get(database) ?? readColumns(database)
  known.set(database, columns)
  return columns
}

const readColumns = async (database: Database): Promise<Column[]> => {
  const { rows } = await database.execute<Column>(sql`
    select c.table_name as "table", c.column_name as name, c.udt_name as type, c.is_identity = 'YES' as "isIdentity"
    from information_schema.columns c
    where c.table_schema = 'public' and exists (
      select 1 from information_schema.columns k
      where k.table_schema = 'public' and k.table_name = c.table_name and k.column_name = 'chain_id')
    order by 1, 2`)
  return rows
}

const listTables = async (database: Database): Promise<string[]> => [
  ...new Set((await listColumns(database)).map(({ table }) => table)),
]

/** Every row of a network, in every table. */
export const readNetworkRows = async (database: Database, chainId: number): Promise<NetworkRows> => {
  const tables = await listTables(database)
  const parts = tables.map(
    (table) =>
      sql`select ${table} as "table", to_jsonb(t) as row from ${sql.identifier(table)} t where chain_id = ${chainId}`,
  )
  const { rows } = await database.execute<{ table: string; row: Row }>(sql`
    select * from (${sql.join(parts, sql` union all `)}) as found order by "table", row::text`)
  return Object.fromEntries(
    tables.map((name) => [name, rows.filter(({ table }) => table === name).map(({ row }) => row)]),
  )
}

/** Removes every row of a network. */
export const deleteNetworkRows = async (database: Database, chainId: number): Promise<void> => {
  const tables = await listTables(database)
  await runBatch(
    database,
    tables.map((table) => database.execute(sql`delete from ${sql.identifier(table)} where chain_id = ${chainId}`)),
  )
}

/**
 * Writes every row of a network again, unchanged, so that it lies behind those of other networks: a query that takes the first
 * of several rows then finds one of theirs.
 */
export const moveNetworkRows = async (database: Database, chainId: number): Promise<void> => {
  const tables = await listTables(database)
  await runBatch(
    database,
    tables.map((table) =>
      database.execute(sql`update ${sql.identifier(table)} set chain_id = chain_id where chain_id = ${chainId}`),
    ),
  )
}

/**
 * Copies rows to another network, except rows with an existing key. Numbers and times of the copies differ by `shift`
 * from the originals, keys excepted.
 */
export const copyNetworkRows = async (
  database: Database,
  chainId: number,
  rows: NetworkRows,
  shift: Shift = { amount: 0, seconds: 0 },
): Promise<void> => {
  const columns = await listColumns(database)
  const copies = Object.entries(rows).map(([table, originals]) => {
    const copied = columns.filter(
      (column) => column.table === table && !column.isIdentity && column.name !== 'written_by',
    )
    const names = sql.join(
      copied.map(({ name }) => sql.identifier(name)),
      sql`, `,
    )
    const values = originals.map((row) => ({ ...shiftRow(row, copied, shift), chain_id: chainId }))
    return database.execute(sql`
      insert into ${sql.identifier(table)} (${names})
      select ${names} from jsonb_populate_recordset(null::${sql.identifier(table)}, ${JSON.stringify(values)}::jsonb)
      on conflict do nothing`)
  })
  // a copied notification belongs to the copy of its event
  const link = database.execute(sql`
    /* between networks */ update notifications n set event_id = copy.id
    from order_events original, order_events copy
    where n.chain_id = ${chainId} and original.id = n.event_id and copy.chain_id = ${chainId}
      and copy.order_uid = original.order_uid and copy.key = original.key`)
  await runBatch(database, [...copies, link])
}

const shiftRow = (row: Row, columns: readonly Column[], shift: Shift): Row =>
  Object.fromEntries(
    columns.map(({ table, name, type }) => {
      const value = row[name]
      if (typeof value === 'string' && type === 'timestamptz' && name !== 'sampled_at') {
        return [name, new Date(Date.parse(value) + shift.seconds * 1_000).toISOString()]
      }
      const isAmount = type === 'numeric' || type === 'float8' || (table === 'settlements' && name === 'auction_id')
      return [name, isAmount && typeof value === 'number' ? value + shift.amount : value]
    }),
  )

/**
 * Rows comparable between two runs of the same steps: without sequence numbers, and with "now" for times of the run.
 */
export const toComparable = (rows: NetworkRows, startedAt: number): NetworkRows =>
  Object.fromEntries(
    Object.entries(rows).map(([table, members]) => [
      table,
      members
        .map((row) => Object.fromEntries(Object.entries(row).flatMap((entry) => toComparableEntry(entry, startedAt))))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    ]),
  )

const toComparableEntry = ([name, value]: [string, unknown], startedAt: number): [string, unknown][] => {
  if (drawn.has(name) && !(name === 'id' && typeof value === 'string')) return []
  if (typeof value !== 'string') return [[name, value]]
  const isOfRun = name.endsWith('_at') && Date.parse(value) >= startedAt - 1_000
  return [[name, isOfRun ? 'now' : value.replace(/^undone:\d+$/, 'undone')]]
}
