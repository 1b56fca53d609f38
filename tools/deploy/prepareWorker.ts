import type { WorkerConfig } from '../workers/workerConfig.ts'
import { type Environment, toEnvironmentName } from './environment.ts'
import { isSecret } from './settingsTable.ts'

/** A Worker as it is deployed. */
export type PreparedWorker = {
  /** what wrangler gets; holds no secret, only the names of those without which the platform must refuse it */
  config: WorkerConfig
  secrets: Record<string, string>
}

/** What staging puts in front of the ids of production's rate limits: counters of one account are told apart by them. */
const rateLimitPrefix = { production: '', staging: '2' } as const

/**
 * Makes a derived configuration one of `environment`: its names, and those of what it is bound to, its queues and its rate
 * limits; secrets apart from vars; closed to the internet, unless it is the gateway.
 * @param domain host of the gateway; without it the gateway answers at workers.dev
 */
export const prepareWorker = (
  { vars = {}, ...derived }: WorkerConfig,
  environment: Environment,
  gateway?: { domain: string | undefined },
): PreparedWorker => {
  const rename = (name: string): string => toEnvironmentName(name, environment)
  const { services, ratelimits, queues } = derived
  const [secrets, plain] = splitSecrets(vars)
  return {
    secrets,
    config: {
      observability: { enabled: true },
      ...derived,
      name: rename(derived.name),
      vars: plain,
      secrets: { required: Object.keys(secrets) },
      workers_dev: gateway !== undefined && gateway.domain === undefined,
      preview_urls: false,
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

/** The queues that Workers send to, take from, or leave undeliverable messages in; each once. */
export const listQueues = (configs: readonly WorkerConfig[]): string[] => {
  const names = configs.flatMap(({ queues }) => [
    ...(queues?.producers ?? []).map(({ queue }) => queue),
    ...(queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, ...(dead ? [dead] : [])]),
  ])
  return [...new Set(names)].sort()
}
