import { computePlacement } from '#shared/connections/databaseLocation.ts'
import { isSecret } from '../settings/settingsTable.ts'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import { type Environment, toEnvironmentName } from './environment.ts'

/** A Worker ready for deployment. */
export type PreparedWorker = {
  /** wrangler's input; contains no secret, only the names of required secrets */
  config: WorkerConfig
  secrets: Record<string, string>
}

/**
 * Keeps the Workers' own lines. Those of the platform for each invocation have URLs, and with them addresses and
 * tokens.
 */
const observability = { enabled: true, logs: { enabled: true, invocation_logs: false } }

/** Prefix of staging's rate limit ids: an account's counters are distinguished by id. */
const rateLimitPrefix = { production: '', staging: '2' } as const

/**
 * Adapts a derived configuration to `environment`: names, bindings, queues, buckets and rate limits; secrets separate
 * from vars; near the database; closed to the internet, except the gateway.
 * @param domain host of the gateway; workers.dev without it
 */
export const prepareWorker = (
  { vars = {}, ...derived }: WorkerConfig,
  environment: Environment,
  gateway?: { domain: string | undefined },
): PreparedWorker => {
  const rename = (name: string): string => toEnvironmentName(name, environment)
  const { services, ratelimits, queues, r2_buckets: buckets } = derived
  const [secrets, plain] = splitSecrets(vars)
  const placement = vars.DATABASE_URL ? computePlacement(vars.DATABASE_URL) : undefined
  return {
    secrets,
    config: {
      observability,
      ...derived,
      name: rename(derived.name),
      vars: plain,
      secrets: { required: Object.keys(secrets) },
      workers_dev: gateway !== undefined && gateway.domain === undefined,
      preview_urls: false,
      ...(placement ? { placement } : {}),
      ...(gateway?.domain ? { routes: [{ pattern: gateway.domain, custom_domain: true }] } : {}),
      ...(services ? { services: services.map((each) => ({ ...each, service: rename(each.service) })) } : {}),
      ...(ratelimits
        ? {
            ratelimits: ratelimits.map((limit) => ({
              ...limit,
              namespace_id: `${rateLimitPrefix[environment]}${limit.namespace_id}`,
            })),
          }
        : {}),
      ...(queues ? { queues: renameQueues(queues, rename) } : {}),
      ...(buckets ? { r2_buckets: buckets.map((each) => ({ ...each, bucket_name: rename(each.bucket_name) })) } : {}),
    },
  }
}

const splitSecrets = (
  vars: Record<string, string>,
): [secrets: Record<string, string>, plain: Record<string, string>] => {
  const entries = Object.entries(vars)
  const secrets = entries.filter(([name, value]) => isSecret(name) && value !== '')
  return [Object.fromEntries(secrets), Object.fromEntries(entries.filter(([name]) => !isSecret(name)))]
}

const renameQueues = ({ producers, consumers }: Queues, rename: (name: string) => string): Queues => ({
  ...(producers ? { producers: producers.map((each) => ({ ...each, queue: rename(each.queue) })) } : {}),
  ...(consumers
    ? {
        consumers: consumers.map(({ dead_letter_queue: dead, ...each }) => ({
          ...each,
          queue: rename(each.queue),
          ...(dead ? { dead_letter_queue: rename(dead) } : {}),
        })),
      }
    : {}),
})

type Queues = NonNullable<WorkerConfig['queues']>
