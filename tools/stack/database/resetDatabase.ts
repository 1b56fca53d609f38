import type { SqlBackend } from './sqlBackend.ts'

/**
 * Empties the database of a stack.
 * @throws Error when its tables were not created by a stack
 */
export const resetDatabase = async (backend: SqlBackend): Promise<void> => {
  const hasRows = async (query: string): Promise<boolean> => (await backend.run({ query, params: [] })).rows.length > 0
  if (!(await hasRows(`select 1 from pg_namespace where nspname = 'local_stack'`))) {
    if (await hasRows(`select 1 from pg_tables where schemaname = 'public'`))
      throw new Error(
        'the database of DATABASE_URL has tables that no stack made: empty it yourself, or use another one',
      )
    return
  }
  const statements = [
    'drop schema public cascade',
    'create schema public',
    'drop schema if exists drizzle cascade',
    'drop schema local_stack cascade',
  ]
  await backend.runBatch(
    statements.map((query) => ({ query, params: [] })),
    { isolationLevel: undefined, readOnly: false, deferrable: false },
  )
}
