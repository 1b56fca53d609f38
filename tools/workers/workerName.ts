import type { WorkerConfig } from './workerConfig.ts'

/** Name of a deployed Worker: that of its wrangler.toml with a distinguishing suffix. */
export const workerName = (base: WorkerConfig, ...suffixes: string[]): string =>
  [base.name, ...suffixes].join('-').replaceAll('_', '-')
