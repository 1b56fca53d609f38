/** One statement; parameters are Postgres text (`\x…` for bytea), null is SQL null. */
export type SqlStatement = { query: string; params: (string | null)[] }

/** Result of a statement; every value is Postgres text or null, in the order of `fields`. */
export type SqlResult = {
  command: string
  /** null for commands without a row count */
  rowCount: number | null
  fields: { name: string; dataTypeID: number }[]
  rows: (string | null)[][]
}

export type BatchMode = { isolationLevel: string | undefined; readOnly: boolean; deferrable: boolean }

/** A database behind the local endpoint. */
export type SqlBackend = {
  run: (statement: SqlStatement) => Promise<SqlResult>
  /** Runs all statements in one transaction. */
  runBatch: (statements: SqlStatement[], mode: BatchMode) => Promise<SqlResult[]>
  close: () => Promise<void>
}

/** Modes for `SET TRANSACTION` of a batch; empty for the server's defaults. */
export const transactionModes = (mode: BatchMode): string =>
  [
    mode.isolationLevel && `ISOLATION LEVEL ${mode.isolationLevel}`,
    mode.readOnly && 'READ ONLY',
    mode.deferrable && 'DEFERRABLE',
  ]
    .filter(Boolean)
    .join(', ')
