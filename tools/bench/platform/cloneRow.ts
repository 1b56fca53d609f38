import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#schema/client.ts'

/** stays within the statement timeout on a busy machine */
const rowsOfStatement = 5_000

/** Copies the row selected by `isOriginal` `count` times, with new values by column; `n` counts from 1. */
export const cloneRow = async (
  database: Database,
  table: PgTable,
  isOriginal: SQL,
  count: number,
  changes: Record<string, SQL>,
): Promise<void> => {
  const names = Object.values(getTableColumns(table)).map(({ name }) => name)
  const columns = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )
  const values = sql.join(
    names.map((name) => changes[name] ?? sql.identifier(name)),
    sql`, `,
  )
  for (let from = 1; from <= count; from += rowsOfStatement) {
    const numbers = sql.raw(`generate_series(${from}, ${Math.min(from + rowsOfStatement - 1, count)})`)
    await database.execute(
      sql`insert into ${table} (${columns}) select ${values} from ${table}, ${numbers} as n where ${isOriginal}`,
    )
  }
}
