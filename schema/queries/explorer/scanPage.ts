import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Rows that a page with a further filter reads at most, beyond its own. */
const maxScanned = 1_000

/**
 * Statements of one page of a list whose filters have no common index: rows are read in the order of an index until the
 * page is full, at most `maxScanned` more than the page. `edge` selects the last of them, where the next page begins
 * when this one is not full; it is undefined for a list without a further filter, which reads no other rows.
 * @param list `table`: name of the rows in `key`, `order` and `matches`. `key`: columns of the rows. `order`: that of
 *   every source. `sources`: disjoint sets of rows, each by its index,
 * up to a limit. `matches`: further filter over the columns that the sources select.
 */
export const scanPage = (
  list: { table: SQLWrapper; key: SQL; order: SQL; sources: ((limit: number) => SQL)[]; matches?: SQL | undefined },
  limit: number,
): { rows: SQL; edge: SQL | undefined } => {
  const { table, key, order, sources, matches } = list
  const scanned = matches ? limit + maxScanned : limit
  const union = sql.join(
    sources.map((source) => sql`(${source(scanned)})`),
    sql` union all `,
  )
  const all = sql`select * from (${union}) as ${table} order by ${order} limit ${scanned}`
  if (!matches) return { rows: sql`select ${key} from (${all}) as ${table}`, edge: undefined }
  return {
    rows: sql`select ${key} from (${all}) as ${table} where ${matches} order by ${order} limit ${limit}`,
    edge: sql`select ${key} from (${all}) as ${table} order by ${order} offset ${scanned - 1} limit 1`,
  }
}
