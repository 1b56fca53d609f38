import type { SqlBackend, SqlStatement } from '#tools/stack/database/sqlBackend.ts'

/** Statements that PostgreSQL can prepare. */
const preparable = /^\s*(select|with|insert|update|delete)\b/i

const toLiteral = (value: string | null): string => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`)

/**
 * Prepares each statement at its first use and plans it once: the service repeats a few large statements on small tables,
 * so that planning takes most of the time of a run.
 */
export const prepareStatements = (backend: SqlBackend): SqlBackend => {
  /** names by text; undefined: its own error is the one to report */
  const names = new Map<string, string | undefined>()

  const prepare = async (query: string): Promise<string | undefined> => {
    if (!preparable.test(query)) return undefined
    if (names.has(query)) return names.get(query)
    const name = `statement_${names.size}`
    const isPrepared = await backend.run({ query: `prepare ${name} as ${query}`, params: [] }).then(
      () => true,
      () => false,
    )
    names.set(query, isPrepared ? name : undefined)
    return names.get(query)
  }
  const toPrepared = async ({ query, params }: SqlStatement): Promise<SqlStatement> => {
    const name = await prepare(query)
    if (name === undefined) return { query, params }
    const values = params.length > 0 ? `(${params.map(toLiteral).join()})` : ''
    return { query: `execute ${name}${values}`, params: [] }
  }

  return {
    run: async (statement: SqlStatement) => backend.run(await toPrepared(statement)),
    runBatch: async (statements, mode) => {
      const prepared: SqlStatement[] = []
      for (const statement of statements) prepared.push(await toPrepared(statement))
      return backend.runBatch(prepared, mode)
    },
    close: backend.close,
  }
}
