import { Client } from 'pg'
import type { SqlBackend, SqlStatement } from '#tools/stack/database/sqlBackend.ts'

/** One executed statement: pages that it read, from memory or from disk, and rows that it returned. */
export type ExplainedStatement = { query: string; buffers: number; rows: number }

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Actual Rows': number }

/**
 * Reports the cost of each statement before a backend runs it. The statements of a batch are explained one after the other
 * in a transaction that is rolled back, so that writes are explained as well.
 * @param serverUrl the database of the backend
 */
export const explainStatements = async (
  backend: SqlBackend,
  serverUrl: string,
  report: (statement: ExplainedStatement) => void,
): Promise<SqlBackend> => {
  const client = new Client({ connectionString: serverUrl, options: '-c timezone=UTC' })
  await client.connect()
  const explain = async (statements: readonly SqlStatement[]): Promise<void> => {
    await client.query('begin')
    try {
      for (const { query, params } of statements) {
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, buffers, timing off, format json) ${query}`,
          params,
        )
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        if (!plan) throw new Error(`no plan of ${query}`)
        report({ query, buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], rows: plan['Actual Rows'] })
      }
    } finally {
      await client.query('rollback')
    }
  }
  return {
    run: async (statement) => {
      await explain([statement])
      return backend.run(statement)
    },
    runBatch: async (statements, mode) => {
      await explain(statements)
      return backend.runBatch(statements, mode)
    },
    close: async () => {
      await client.end()
      await backend.close()
    },
  }
}
