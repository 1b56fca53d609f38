import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type Results, type Transaction } from '@electric-sql/pglite'
import { findEmptyCluster } from './findEmptyCluster.ts'
import type { SqlBackend, SqlResult, SqlStatement } from './sqlBackend.ts'
import { transactionModes } from './transactionModes.ts'

/** Postgres in this process, kept in `directory`, or in memory without one. */
export const openPglite = async (directory?: string): Promise<SqlBackend> => {
  const isNew = directory === undefined || !existsSync(join(directory, 'PG_VERSION'))
  const pglite = await PGlite.create({
    dataDir: directory ?? 'memory://',
    ...(isNew ? { loadDataDir: await findEmptyCluster() } : {}),
  })
  // Everything stays text: parameters as they arrived, values as Postgres printed them.
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

const toSqlResult = (result: Results<(string | null)[]>): SqlResult => ({
  command: result.command ?? '',
  rowCount: result.rowCount ?? null,
  fields: result.fields,
  rows: result.rows,
})
