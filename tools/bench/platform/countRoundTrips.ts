import type { SqlBackend } from '../../stack/database/sqlBackend.ts'

/** The same database for one of several users, with a count of its round trips: a batch is one. */
export const countRoundTrips = (backend: SqlBackend): { backend: SqlBackend; read: () => number } => {
  let count = 0
  return {
    backend: {
      ...backend,
      run: (statement) => {
        count += 1
        return backend.run(statement)
      },
      runBatch: (statements, mode) => {
        count += 1
        return backend.runBatch(statements, mode)
      },
    },
    read: () => count,
  }
}
