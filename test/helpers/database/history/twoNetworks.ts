import { connectDatabase, type Database } from '#schema/client.ts'
import { networks } from '#shared/networks.ts'
import { writeHistory } from '#tools/bench/history/insertHistory.ts'
import { findPackedDatabase } from '#tools/stack/database/findPackedDatabase.ts'
import { openPglite } from '#tools/stack/database/openPglite.ts'
import type { SqlStatement } from '#tools/stack/database/sqlBackend.ts'
import { answerInProcess } from '../server/answerInProcess.ts'
import { describeHistory, type History } from './describeHistory.ts'

const orders = 600
const [own, other] = [networks.sepolia.chainId, networks.gnosis.chainId]

/** Result of a call, the rows that it wrote and the counts of rows by table, as text, and its statements. */
type Observed = { result: unknown; written: string[]; statements: string[] }

type TwoNetworks = {
  history: History
  /** names of the tables with the column `chain_id` */
  tables: ReadonlySet<string>
  /**
   * Runs a call twice, at one time, and undoes what it wrote: `beside` the rows of another network, and `alone`, where the
   * database shows no row of another network and refuses to write one.
   */
  observe: (call: (database: Database) => PromiseLike<unknown>) => Promise<{ beside: Observed; alone: Observed }>
}

let shared: Promise<TwoNetworks> | undefined

/** A short history of Sepolia beside one of Gnosis in this process, for all test files. */
export const twoNetworks = (): Promise<TwoNetworks> => {
  shared ??= open()
  return shared
}

const open = async (): Promise<TwoNetworks> => {
  const backend = await openPglite(undefined, await findPackedDatabase())
  const run = async (query: string) => {
    const { fields, rows } = await backend.run({ query, params: [] })
    return { rows: rows.map((row) => Object.fromEntries(fields.map(({ name }, i) => [name, row[i]]))) }
  }
  const list = async (query: string) => (await run(query)).rows.map(({ name }) => String(name))
  await writeHistory(run, own, orders)
  const tables = await list(`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'chain_id' order by 1`)
  const sequences = await list(
    "select format('%I', sequencename) as name from pg_sequences where schemaname = 'public'",
  )
  await copyToOtherNetwork(run, tables)
  for (const table of tables) {
    const rows = await list(`select distinct chain_id as name from ${table}`)
    if (rows.length < 2) throw new Error(`${table} has no rows of both networks`)
  }
  await run('create role of_network')
  await run('grant all on all tables in schema public to of_network')
  await run('grant all on all sequences in schema public to of_network')
  for (const table of tables) {
    await run(`alter table ${table} enable row level security`)
    await run(`create policy own on ${table} using (chain_id = ${own})`)
  }

  let statements: string[] = []
  const record = (statement: SqlStatement) => {
    statements.push(statement.query)
    return backend.run(statement)
  }
  // everything runs in the transaction of `observe`
  const inside = answerInProcess({
    run: record,
    runBatch: async (batch) => {
      const results = []
      for (const statement of batch) results.push(await record(statement))
      return results
    },
    close: async () => undefined,
  })
  const database = connectDatabase('postgres://in:process@127.0.0.1/networks', 60_000, inside.send)
  const rowsOf = (text: (table: string) => string) =>
    run(tables.map((table) => `select ${text(table)}`).join(' union all ')).then(({ rows }) =>
      rows.map(({ text }) => String(text)).toSorted(),
    )
  return {
    history: describeHistory(orders),
    tables: new Set(tables),
    observe: async (call) => {
      const observeOnce = async (id: unknown): Promise<Observed> => {
        for (const sequence of sequences) await run(`select setval('${sequence}', 1000000)`)
        statements = []
        const result = await call(database)
        await run('reset role')
        const written = await rowsOf(
          (table) => `'${table} ' || to_jsonb(t)::text as text from ${table} as t where xmin::text::bigint >= ${id}`,
        )
        const counts = await rowsOf(
          (table) => `'${table} ' || chain_id || ' ' || count(*) as text from ${table} group by chain_id`,
        )
        return { result, written: [...written, ...counts], statements }
      }
      await run('begin')
      try {
        const { rows } = await run('select pg_current_xact_id()::text::bigint as id')
        await run('savepoint start')
        const beside = await observeOnce(rows[0]?.id)
        await run('rollback to savepoint start')
        await run('set local role of_network')
        return { beside, alone: await observeOnce(rows[0]?.id) }
      } finally {
        await run('rollback')
      }
    },
  }
}

/**
 * Copies the rows with other amounts and times, and exchanges the orders: the other network's oldest has the UID of the newest, so
 * that what is open, filled or traded here is not there.
 */
const copyToOtherNetwork = async (
  run: (query: string) => Promise<{ rows: Record<string, unknown>[] }>,
  tables: readonly string[],
): Promise<void> => {
  await run('select setseed(0.5)')
  await run(`create temporary table exchanged as
    select uid, first_value(uid) over (order by place desc rows between current row and current row) as other, place
    from (select uid, row_number() over (order by created_at, uid) as place from orders) as placed`)
  await run(`update exchanged e set other = o.uid from exchanged o where o.place = ${orders + 1} - e.place`)
  await run('create unique index on exchanged (uid)')
  for (const table of tables) {
    const { rows: columns } = await run(`select quote_ident(column_name) as name, udt_name as type
      from information_schema.columns where table_schema = 'public' and table_name = '${table}'
        and is_identity = 'NO' and is_generated = 'NEVER' and column_name <> 'written_by'`)
    const values = columns.map(({ name, type }) => {
      if (name === 'chain_id') return other
      if (name === 'uid' || name === 'order_uid')
        return type === 'bytea' ? `(select e.other from exchanged e where e.uid = t.${name})` : name
      if (type === 'timestamptz') return `${name} + (random() - 0.5) * interval '1 hour'`
      return type === 'numeric' || type === 'float8' ? `${name} + floor(random() * 3)` : name
    })
    await run(`insert into ${table} (${columns.map(({ name }) => name).join(', ')})
      select ${values.join(', ')} from ${table} as t on conflict do nothing`)
  }
  await run(`update notifications n set event_id = e.id from order_events e
    where n.chain_id = ${other} and e.chain_id = n.chain_id and e.order_uid = n.order_uid and e.label = 'traded'`)
  await run('vacuum analyze')
}
