import type { WorkerConfig } from '../workers/workerConfig.ts'

/** Distinct R2 buckets that Workers are bound to. */
export const listBuckets = (configs: readonly WorkerConfig[]): string[] => [
  ...new Set(configs.flatMap(({ r2_buckets: buckets }) => (buckets ?? []).map(({ bucket_name: name }) => name))),
]
