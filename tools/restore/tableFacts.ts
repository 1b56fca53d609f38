import type { Client } from 'pg'

/** Number of rows of a table, and a digest of those with the lowest and the highest keys. */
export type TableFacts = { table: string; rows: number; digest: string }

/** rows of each end of a table */
const sampleSize = 500

/** Facts of every table of the service. Two clusters may sort text differently, so it is sorted by its bytes. */
export const findTableFacts = async (client: Client): Promise<TableFacts[]> => {
  await client.query(
    "set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'; set extra_float_digits = 1",
  )
  const { rows: tables } = await client.query<{ name: string; key: string | null }>(`
    select c.oid::regclass::text as name,
      (select string_agg(quote_ident(a.attname) || case when a.attcollation = 0 then '' else ' collate "C"' end, ', ' order by k.position)
        from pg_index i cross join unnest(i.indkey) with ordinality as k(number, position)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary) as key
    from pg_class c where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, to_regnamespace('drizzle'))
    order by 1`)
  const facts: TableFacts[] = []
  for (const { name, key } of tables) {
    const order = key ?? 't::text collate "C"'
    const descending = order.replaceAll(', ', ' desc, ')
    const { rows } = await client.query<{ rows: string; digest: string }>(`
      select (select count(*) from ${name}) as rows, md5(coalesce(string_agg(text, E'\\n' order by text collate "C"), '')) as digest
      from (
        (select t::text as text from ${name} t order by ${order} limit ${sampleSize})
        union all
        (select t::text from ${name} t order by ${descending} desc limit ${sampleSize})
      ) as sample`)
    facts.push({ table: name, rows: Number(rows[0]?.rows), digest: rows[0]?.digest ?? '' })
  }
  return facts
}

/** @returns a line for each table that differs */
export const compareFacts = (before: readonly TableFacts[], after: readonly TableFacts[]): string[] => {
  const found = new Map(after.map((facts) => [facts.table, facts]))
  return before.flatMap(({ table, rows, digest }) => {
    const other = found.get(table)
    if (!other) return [`${table} is missing`]
    if (other.rows !== rows) return [`${table} has ${other.rows} rows instead of ${rows}`]
    return other.digest === digest ? [] : [`${table} has other contents`]
  })
}
