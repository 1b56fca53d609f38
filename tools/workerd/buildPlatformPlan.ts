import type { WorkerConfig } from '../workers/workerConfig.ts'
import type { PlatformPlan, QueuePlan } from './workerdPlans.ts'

type Consumer = {
  queue: string
  dead_letter_queue?: string
  max_batch_size?: number
  max_batch_timeout?: number
  max_retries?: number
  retry_delay?: number
}

/**
 * Queues and crons of Workers.
 * @throws Error naming a Worker with a cron that is not run every minute
 */
export const buildPlatformPlan = (workers: readonly WorkerConfig[]): PlatformPlan => {
  const consumers = workers.flatMap(({ name, queues }) =>
    ((queues?.consumers ?? []) as Consumer[]).map((consumer) => [consumer.queue, toQueue(name, consumer)] as const),
  )
  return { queues: Object.fromEntries(consumers), crons: workers.filter(hasCron).map(({ name }) => name) }
}

/** Limits that wrangler.toml omits are those of the platform. */
const toQueue = (consumer: string, limits: Consumer): QueuePlan => ({
  consumer,
  batchSize: limits.max_batch_size ?? 10,
  waitSeconds: limits.max_batch_timeout ?? 5,
  retries: limits.max_retries ?? 3,
  delaySeconds: limits.retry_delay ?? 0,
  ...(limits.dead_letter_queue ? { deadLetters: limits.dead_letter_queue } : {}),
})

const everyMinute = '* * * * *'

const hasCron = ({ name, triggers }: WorkerConfig): boolean => {
  const { crons = [] } = (triggers ?? {}) as { crons?: string[] }
  const other = crons.find((cron) => cron !== everyMinute)
  if (other) throw new Error(`${name}: the cron ${other} is not run; every minute is ${everyMinute}`)
  return crons.length > 0
}
