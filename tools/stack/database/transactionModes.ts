import type { BatchMode } from './sqlBackend.ts'

/** The modes of `SET TRANSACTION` that a batch asks for; empty for the server's defaults. */
export const transactionModes = (mode: BatchMode): string =>
  [
    mode.isolationLevel && `ISOLATION LEVEL ${mode.isolationLevel}`,
    mode.readOnly && 'READ ONLY',
    mode.deferrable && 'DEFERRABLE',
  ]
    .filter(Boolean)
    .join(', ')
