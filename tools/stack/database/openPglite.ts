import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type Results, type Transaction } from '@electric-sql/pglite'
import { dataDir } from '@electric-sql/pglite-prepopulatedfs'
import type { SqlBackend, SqlResult, SqlStatement } from './sqlBackend.ts'
import { transactionModes } from './sqlBackend.ts'

/**
 * Postgres in this process, stored in `directory`, or in memory without one.
 * @param packed archive of the cluster that a new database begins with; an empty one when omitted
 * @throws Error when the directory holds no complete database
 */
export const openPglite = async (directory?: string, packed?: Blob): Promise<SqlBackend> => {
  const pglite =
    directory !== undefined && existsSync(join(directory, 'PG_VERSION'))
      ? await reopen(directory)
      : await PGlite.create({ dataDir: directory ?? 'memory://', loadDataDir: packed ?? (await dataDir()) })
  // All values stay text: parameters as received, results as Postgres prints them.
  pglite.serializers = {}
  for (const oid of Object.keys(pglite.parsers)) pglite.parsers[Number(oid)] = (text) => text

  const run = async (target: PGlite | Transaction, { query, params }: SqlStatement): Promise<SqlResult> =>
    toSqlResult(await target.query<(string | null)[]>(query, params, { rowMode: 'array' }))

  return {
    run: (statement) => run(pglite, statement),
    runBatch: (statements, mode) =>
      pglite.transaction(async (transaction) => {
        const modes = transactionModes(mode)
        if (modes) await transaction.exec(`SET TRANSACTION ${modes}`)
        const results: SqlResult[] = []
        for (const statement of statements) results.push(await run(transaction, statement))
        return results
      }),
    close: () => pglite.close(),
  }
}

/** Its first start may have been interrupted. */
const reopen = (directory: string): Promise<PGlite> =>
  PGlite.create(directory).catch((error) => {
    throw new Error(`the database in ${directory} cannot be opened; npm start -- --fresh creates a new one: ${error}`)
  })

const toSqlResult = (result: Results<(string | null)[]>): SqlResult => ({
  command: result.command ?? '',
  rowCount: result.rowCount ?? null,
  fields: result.fields,
  rows: result.rows,
})
