import type { BatchMode } from './sqlBackend.ts'

/** Modes for `SET TRANSACTION` of a batch; empty for the server's defaults. */
export const transactionModes = (mode: BatchMode): string =>
  [
    mode.isolationLevel && `ISOLATION LEVEL ${mode.isolationLevel}`,
    mode.readOnly && 'READ ONLY',
    mode.deferrable && 'DEFERRABLE',
  ]
    .filter(Boolean)
    .join(', ')
