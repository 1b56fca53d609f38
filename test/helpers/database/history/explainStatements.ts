import { Client } from 'pg'
import { runStatement } from '#tools/stack/database/openPostgres.ts'
import type { SqlBackend, SqlResult, SqlStatement } from '#tools/stack/database/sqlBackend.ts'

/** One executed statement: pages that it touched, in memory or on disk, rows that it returned, and rows that it wrote. */
export type ExplainedStatement = { query: string; buffers: number; rows: number; written: number }

type Plan = {
  'Node Type': string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/**
 * A server's database whose statements are explained and then run, each batch in one transaction that is rolled back: the
 * caller gets its results, and the database stays as it is.
 * @param serverUrl the database
 * @param report gets the cost of each statement
 */
export const explainStatements = async (
  serverUrl: string,
  report: (statement: ExplainedStatement) => void,
): Promise<SqlBackend> => {
  const client = new Client({ connectionString: serverUrl, options: '-c timezone=UTC' })
  await client.connect()
  const explain = async ({ query, params }: SqlStatement): Promise<void> => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) ${query}`,
      params,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    if (!plan) throw new Error(`no plan of ${query}`)
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    report({ query, buffers, rows: plan['Actual Rows'], written: countWritten(plan) })
  }
  const runBatch = async (statements: readonly SqlStatement[]): Promise<SqlResult[]> => {
    await client.query('begin')
    try {
      const results: SqlResult[] = []
      for (const statement of statements) {
        // explained first: what it writes is undone, so that it meets the same rows again
        await client.query('savepoint explained')
        await explain(statement)
        await client.query('rollback to savepoint explained')
        results.push(await runStatement(client, statement))
      }
      return results
    } finally {
      await client.query('rollback')
    }
  }
  return {
    run: async (statement) => {
      const [result] = await runBatch([statement])
      if (!result) throw new Error(`no result of ${statement.query}`)
      return result
    },
    runBatch,
    close: () => client.end(),
  }
}

/** Rows that reach the inserts, updates and deletes of a plan. */
const countWritten = (plan: Plan): number => {
  const inner = plan.Plans ?? []
  const source = plan['Node Type'] === 'ModifyTable' ? inner[0] : undefined
  const own = source ? source['Actual Rows'] * source['Actual Loops'] : 0
  return inner.reduce((sum, child) => sum + countWritten(child), own)
}
