/** One statement; parameters are Postgres text (`\x…` for bytea), null is SQL null. */
export type SqlStatement = { query: string; params: (string | null)[] }

/** What a statement gave; every value is Postgres text or null, in the order of `fields`. */
export type SqlResult = {
  command: string
  /** null when the command counts no rows */
  rowCount: number | null
  fields: { name: string; dataTypeID: number }[]
  rows: (string | null)[][]
}

export type BatchMode = { isolationLevel: string | undefined; readOnly: boolean; deferrable: boolean }

/** A database behind the local endpoint. */
export type SqlBackend = {
  run: (statement: SqlStatement) => Promise<SqlResult>
  /** All statements in one transaction: all of them hold or none. */
  runBatch: (statements: SqlStatement[], mode: BatchMode) => Promise<SqlResult[]>
  close: () => Promise<void>
}
