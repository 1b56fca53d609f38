import { createHash } from 'node:crypto'
import { type ClientBase, Pool, type QueryArrayResult } from 'pg'
import type { SqlBackend, SqlResult, SqlStatement } from './sqlBackend.ts'
import { transactionModes } from './sqlBackend.ts'

/** Limit for connecting, which takes seconds on a busy machine; a refusal is noticed at once. */
const connectionTimeoutMs = 30_000

/** A Postgres server. */
export const openPostgres = (databaseUrl: string): SqlBackend => {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: connectionTimeoutMs,
    options: '-c timezone=UTC',
  })
  // An idle connection that the server drops is replaced at the next statement. One in a batch fails its statement; its
  // error event, without a listener, would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  return {
    run: (statement) => runStatement(pool, statement),
    runBatch: async (statements, mode) => {
      const client = await pool.connect()
      try {
        await client.query(`BEGIN ${transactionModes(mode)}`)
        const results: SqlResult[] = []
        for (const statement of statements) results.push(await runStatement(client, statement))
        await client.query('COMMIT')
        client.release()
        return results
      } catch (error) {
        const rolledBack = await client.query('ROLLBACK').then(
          () => true,
          () => false,
        )
        client.release(!rolledBack)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** Names of the first texts that came; later ones are planned at each use. */
const namesOfTexts = new Map<string, string>()
const maxNamedTexts = 500

/**
 * A third of the server's time goes into plans, so a connection caches them under the statement's name. The name is a
 * hash of the text: behind a pooler, processes share connections, and no name may mean two statements.
 */
const nameStatement = (query: string): { name?: string } => {
  if (namesOfTexts.size < maxNamedTexts && !namesOfTexts.has(query))
    namesOfTexts.set(query, createHash('sha256').update(query).digest('hex').slice(0, 32))
  const name = namesOfTexts.get(query)
  return name === undefined ? {} : { name }
}

/** Runs one statement on a connection; all values of the result are text. */
export const runStatement = async (target: Pool | ClientBase, { query, params }: SqlStatement): Promise<SqlResult> => {
  const result: QueryArrayResult<(string | null)[]> = await target.query({
    ...nameStatement(query),
    text: query,
    values: params,
    rowMode: 'array',
    types: { getTypeParser: () => (text: string) => text },
  })
  return {
    command: result.command,
    rowCount: result.rowCount,
    fields: result.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })),
    rows: result.rows,
  }
}
