import { dirname, join, relative } from 'node:path'
import { findWasmModules } from '../../workers/findWasmModules.ts'
import type { WorkerConfig } from '../../workers/workerConfig.ts'

export type WorkerdPlan = {
  /** the Workers of this process; `main` is a bundle of `bundleWorkers` */
  workers: readonly WorkerConfig[]
  /** Worker of this process → its port on 127.0.0.1 */
  ports: Readonly<Record<string, number>>
  /** Worker of another process → its port on 127.0.0.1 */
  elsewhere: Readonly<Record<string, number>>
  /** storage of Durable Objects: an existing folder */
  storage: string
}

type Queues = { producers?: { binding: string }[] }
type DurableObjects = { bindings: { name: string; class_name: string }[] }

/**
 * Configuration of a plain workerd as Cap'n Proto text: bindings, vars and Durable Objects of the configurations that
 * wrangler would deploy. Bindings that only the platform has, such as rate limits, are omitted.
 * @param file path of the configuration: bundles are relative to it
 * @throws Error naming the Worker of a binding that no process runs; when a bundle is missing
 */
export const buildWorkerdConfig = (plan: WorkerdPlan, file: string): string => {
  const names = plan.workers.map(({ name }) => name)
  const services = [
    ...plan.workers.map((worker) => toService(worker, plan, names, file)),
    ...Object.entries(plan.elsewhere).map(
      ([name, port]) => `(name = ${text(name)}, external = (address = "127.0.0.1:${port}", http = ()))`,
    ),
    // There are no queues outside the platform: sends would fail, but without subscriptions nothing is sent.
    '(name = "queues", external = (address = "127.0.0.1:1", http = ()))',
    `(name = "storage", disk = (path = ${text(plan.storage)}, writable = true))`,
    // Nodes and databases of a laptop are on its loopback.
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
        throw new Error(`${name}: ${binding} is bound to ${service}, which no process runs`)
      return `(name = ${text(binding)}, service = ${text(service)})`
    }),
    ...producers.map(({ binding }) => `(name = ${text(binding)}, queue = "queues")`),
    ...objects.map((object) => `(name = ${text(object.name)}, durableObjectNamespace = ${text(object.class_name)})`),
  ]
  const namespaces = objects.map(
    ({ class_name }) =>
      `(className = ${text(class_name)}, uniqueKey = ${text(`${name}-${class_name}`)}, enableSql = true)`,
  )
  const modules = [
    `(name = "worker", esModule = ${embed(main, file)})`,
    ...findWasmModules(main).map(
      (module) => `(name = ${text(module)}, wasm = ${embed(join(dirname(main), module), file)})`,
    ),
  ]
  const fields = [
    `modules = [${modules.join(', ')}]`,
    `compatibilityDate = ${text(String(date))}`,
    `compatibilityFlags = [${(flags as string[]).map(text).join(', ')}]`,
    `bindings = [${bindings.join(', ')}]`,
    ...(namespaces.length > 0
      ? [`durableObjectNamespaces = [${namespaces.join(', ')}]`, 'durableObjectStorage = (localDisk = "storage")']
      : []),
  ]
  return `(name = ${text(name)}, worker = (${fields.join(', ')}))`
}

const embed = (path: string, file: string): string => `embed ${text(relative(dirname(file), path))}`

/** JSON escapes quotes, backslashes and line ends as Cap'n Proto does. */
const text = (value: string): string => JSON.stringify(value)
