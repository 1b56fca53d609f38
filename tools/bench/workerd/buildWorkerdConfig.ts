import { dirname, relative } from 'node:path'
import type { WorkerConfig } from '../../workers/workerConfig.ts'

export type WorkerdPlan = {
  /** the Workers of this process; `main` is a bundle */
  workers: readonly WorkerConfig[]
  /** Worker of this process → port of 127.0.0.1 that it answers at */
  ports: Readonly<Record<string, number>>
  /** Worker of another process → port of 127.0.0.1 that it answers at there */
  elsewhere: Readonly<Record<string, number>>
  /** where Durable Objects keep what they store: an existing folder */
  storage: string
}

type Queues = { producers?: { binding: string }[] }
type DurableObjects = { bindings: { name: string; class_name: string }[] }

/**
 * The configuration of a plain workerd in Cap'n Proto text: bindings, vars and Durable Objects as in the configurations that
 * wrangler would deploy. What only the platform has, rate limits above all, is not bound.
 * @param file where it will lie: bundles are named relative to it
 * @throws Error naming the Worker that a binding asks for and no process has
 */
export const buildWorkerdConfig = (plan: WorkerdPlan, file: string): string => {
  const names = plan.workers.map(({ name }) => name)
  const services = [
    ...plan.workers.map((worker) => toService(worker, plan, names, file)),
    ...Object.entries(plan.elsewhere).map(
      ([name, port]) => `(name = ${text(name)}, external = (address = "127.0.0.1:${port}", http = ()))`,
    ),
    // There are no queues outside the platform: what is sent fails, and nothing is, since nobody has subscribed to anything.
    '(name = "queues", external = (address = "127.0.0.1:1", http = ()))',
    `(name = "storage", disk = (path = ${text(plan.storage)}, writable = true))`,
    // The nodes and databases of a laptop are on its own loopback.
    `(name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)))`,
  ]
  const sockets = Object.entries(plan.ports).map(
    ([name, port]) => `(name = ${text(name)}, address = "127.0.0.1:${port}", http = (), service = ${text(name)})`,
  )
  return [
    'using Workerd = import "/workerd/workerd.capnp";',
    '',
    'const config :Workerd.Config = (',
    `  services = [\n    ${services.join(',\n    ')}\n  ],`,
    `  sockets = [\n    ${sockets.join(',\n    ')}\n  ],`,
    ');',
    '',
  ].join('\n')
}

const toService = (worker: WorkerConfig, { elsewhere }: WorkerdPlan, names: string[], file: string): string => {
  const { name, main, compatibility_date: date, compatibility_flags: flags = [] } = worker
  const objects = (worker.durable_objects as DurableObjects | undefined)?.bindings ?? []
  const producers = (worker.queues as Queues | undefined)?.producers ?? []
  const bindings = [
    ...Object.entries(worker.vars ?? {}).map(([key, value]) => `(name = ${text(key)}, text = ${text(value)})`),
    ...(worker.services ?? []).map(({ binding, service }) => {
      if (!names.includes(service) && !(service in elsewhere))
        throw new Error(`${name}: ${binding} asks for ${service}, which no process has`)
      return `(name = ${text(binding)}, service = ${text(service)})`
    }),
    ...producers.map(({ binding }) => `(name = ${text(binding)}, queue = "queues")`),
    ...objects.map((object) => `(name = ${text(object.name)}, durableObjectNamespace = ${text(object.class_name)})`),
  ]
  const namespaces = objects.map(
    ({ class_name }) =>
      `(className = ${text(class_name)}, uniqueKey = ${text(`${name}-${class_name}`)}, enableSql = true)`,
  )
  const fields = [
    `modules = [(name = "worker", esModule = embed ${text(relative(dirname(file), main))})]`,
    `compatibilityDate = ${text(String(date))}`,
    `compatibilityFlags = [${(flags as string[]).map(text).join(', ')}]`,
    `bindings = [${bindings.join(', ')}]`,
    ...(namespaces.length > 0
      ? [`durableObjectNamespaces = [${namespaces.join(', ')}]`, 'durableObjectStorage = (localDisk = "storage")']
      : []),
  ]
  return `(name = ${text(name)}, worker = (${fields.join(', ')}))`
}

/** JSON's escapes of quotes, backslashes and line ends are those of Cap'n Proto. */
const text = (value: string): string => JSON.stringify(value)
