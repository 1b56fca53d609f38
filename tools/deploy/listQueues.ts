import type { WorkerConfig } from '../workers/workerConfig.ts'

/** Distinct queues that Workers produce to, consume, or use as dead letter queue. */
export const listQueues = (configs: readonly WorkerConfig[]): string[] => {
  const names = configs.flatMap(({ queues }) => [
    ...(queues?.producers ?? []).map(({ queue }) => queue),
    ...(queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, ...(dead ? [dead] : [])]),
  ])
  return [...new Set(names)].sort()
}
