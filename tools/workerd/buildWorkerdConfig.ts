import { dirname, join, relative } from 'node:path'
import { findWasmModules } from '../workers/findWasmModules.ts'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import { buildPlatformPlan } from './buildPlatformPlan.ts'
import { findNamedHosts } from './findNamedHosts.ts'
import { text } from './text.ts'
import type { EdgePlan } from './workerdPlans.ts'

export type WorkerdPlan = {
  /** the Workers of this process; `main` is a bundle of `bundleWorkers` */
  workers: readonly WorkerConfig[]
  /** socket of this process: the Worker behind it → its address */
  sockets: Readonly<Record<string, string>>
  /** Worker of another process → its port on 127.0.0.1 */
  elsewhere?: Readonly<Record<string, number>>
  /** storage of Durable Objects: an existing folder */
  storage: string
  /**
   * Handlers that share one isolate, the service `edge`: names of Workers, the one that receives requests first, and
   * the addresses of proxies that may state the address of their client.
   * Undefined: each Worker has its own alone.
   */
  edge?: { workers: readonly string[]; bundle: string; proxies: readonly string[] } | undefined
  /** What only the platform has: queues, crons, buckets, pages, rate limits. Undefined: these bindings are omitted. */
  platform?: Platform | undefined
}

type Platform = {
  /** bundles of `tools/serve/platform` */
  bundles: { platform: string; limiter: string }
  /** existing folders of objects and of the gateway's pages */
  buckets: string
  assets: string
}

type DurableObjects = { bindings: { name: string; class_name: string }[] }

/**
 * Configuration of a plain workerd as Cap'n Proto text: bindings, vars and Durable Objects of the configurations that
 * wrangler would deploy.
 * @param file path of the configuration: bundles are relative to it
 * @throws Error naming the Worker of a binding that no process runs, or of a cron that is not run every minute; when a
 *   bundle is missing
 */
export const buildWorkerdConfig = (plan: WorkerdPlan, file: string): string => {
  const { edge, platform, elsewhere = {} } = plan
  const services = [
    ...plan.workers.map((worker) => toService(worker, plan, file)),
    ...(edge ? [toEdge(edge, plan, file)] : []),
    ...(platform ? toPlatform(platform, plan, file) : []),
    ...Object.entries(elsewhere).map(
      ([name, port]) => `(name = ${text(name)}, external = (address = "127.0.0.1:${port}", http = ()))`,
    ),
    `(name = "storage", disk = (path = ${text(plan.storage)}, writable = true))`,
    // Nodes and databases of a laptop are on its loopback.
    `(name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)))`,
  ]
  const sockets = Object.entries(plan.sockets).map(
    ([name, address]) => `(name = ${text(name)}, address = ${text(address)}, http = (), service = ${text(name)})`,
  )
  const limiter = platform
    ? `(modules = [(name = "edgebook:limiter", internal = true, esModule = ${embed(platform.bundles.limiter, file)})])`
    : ''
  return [
    'using Workerd = import "/workerd/workerd.capnp";',
    '',
    'const config :Workerd.Config = (',
    `  services = [\n    ${services.join(',\n    ')}\n  ],`,
    `  sockets = [\n    ${sockets.join(',\n    ')}\n  ],`,
    `  extensions = [${limiter}],`,
    ');',
    '',
  ].join('\n')
}

const toService = (worker: WorkerConfig, plan: WorkerdPlan, file: string): string => {
  const { name, main } = worker
  const namespaces = listObjects(worker).map(
    ({ class_name }) =>
      `(className = ${text(class_name)}, uniqueKey = ${text(`${name}-${class_name}`)}, enableSql = true)`,
  )
  const isGuarded = plan.platform && worker.queues?.consumers && worker.vars?.ALLOW_PRIVATE_TARGETS !== 'true'
  const fields = [
    `modules = [(name = "worker", esModule = ${embed(main, file)}), ${toWasmModules(main, '', file).join(', ')}]`,
    ...toRuntime(worker),
    `bindings = [${toBindings(worker, plan).join(', ')}]`,
    ...(namespaces.length > 0
      ? [`durableObjectNamespaces = [${namespaces.join(', ')}]`, 'durableObjectStorage = (localDisk = "storage")']
      : []),
    ...(isGuarded ? [`globalOutbound = ${toEntrypoint('Outbound', { hosts: findNamedHosts(worker) })}`] : []),
  ]
  return `(name = ${text(name)}, worker = (${fields.join(', ')}))`
}

/** One service of the handlers of several Workers, each a module with its own state. */
const toEdge = (
  { workers: names, bundle, proxies }: NonNullable<WorkerdPlan['edge']>,
  plan: WorkerdPlan,
  file: string,
) => {
  const workers = names.map((name) => {
    const worker = plan.workers.find((each) => each.name === name)
    if (!worker) throw new Error(`no Worker ${name} is in this process`)
    return worker
  })
  const isLocal = ({ service }: { service: string }) => names.includes(service)
  const edgePlan: EdgePlan = {
    entry: names[0] ?? '',
    proxies,
    workers: Object.fromEntries(
      workers.map((worker) => {
        const local = (worker.services ?? []).filter(isLocal)
        const bindings = listBindings(
          { ...worker, services: (worker.services ?? []).filter((each) => !isLocal(each)) },
          plan,
        )
        return [
          worker.name,
          {
            bindings: bindings.map(([binding]) => binding),
            local: Object.fromEntries(local.map(({ binding, service }) => [binding, service])),
          },
        ]
      }),
    ),
  }
  const bindings = workers.flatMap((worker) =>
    listBindings(
      { ...worker, services: (worker.services ?? []).filter((each) => !isLocal(each)) },
      plan,
      worker.name,
    ).map(([binding, value]) => `(name = ${text(`${worker.name}:${binding}`)}, ${value})`),
  )
  const script = [
    "import { combine } from './combine'",
    ...workers.map(({ name }, index) => `import worker${index} from './${name}/worker'`),
    "export { Drain } from './combine'",
    `export default combine({ ${workers.map(({ name }, index) => `${JSON.stringify(name)}: worker${index}`).join(', ')} })`,
  ]
  const modules = [
    `(name = "edge", esModule = ${text(script.join('\n'))})`,
    `(name = "combine", esModule = ${embed(bundle, file)})`,
    ...workers.flatMap(({ name, main }) => [
      `(name = ${text(`${name}/worker`)}, esModule = ${embed(main, file)})`,
      ...toWasmModules(main, `${name}/`, file),
    ]),
  ]
  const fields = [
    `modules = [${modules.join(', ')}]`,
    ...toRuntime(workers[0] as WorkerConfig),
    `bindings = [(name = "EDGE", json = ${text(JSON.stringify(edgePlan))}), ${bindings.join(', ')}]`,
  ]
  return `(name = "edge", worker = (${fields.join(', ')}))`
}

const toPlatform = ({ bundles, buckets, assets }: Platform, plan: WorkerdPlan, file: string): string[] => {
  const platformPlan = buildPlatformPlan(plan.workers)
  const called = new Set([
    ...platformPlan.crons,
    ...Object.values(platformPlan.queues).flatMap(({ consumer }) => (consumer ? [consumer] : [])),
  ])
  const bindings = [
    `(name = "PLAN", json = ${text(JSON.stringify(platformPlan))})`,
    '(name = "QUEUES", durableObjectNamespace = "Queue")',
    '(name = "BUCKETS", service = "buckets")',
    '(name = "ASSETS", service = "assets")',
    '(name = "PUBLIC", service = "public")',
    '(name = "ANYWHERE", service = "internet")',
    ...(plan.edge ? ['(name = "EDGE", service = (name = "edge", entrypoint = "Drain"))'] : []),
    ...[...called].map((name) => `(name = ${text(name)}, service = ${text(name)})`),
  ]
  const fields = [
    `modules = [(name = "worker", esModule = ${embed(bundles.platform, file)})]`,
    `compatibilityDate = ${text(String(plan.workers[0]?.compatibility_date))}`,
    // calls of `scheduled` and `queue` through a service binding
    'compatibilityFlags = ["experimental", "service_binding_extra_handlers"]',
    `bindings = [${bindings.join(', ')}]`,
    'durableObjectNamespaces = [(className = "Queue", uniqueKey = "edgebook-queue", enableSql = true)]',
    'durableObjectStorage = (localDisk = "storage")',
  ]
  return [
    `(name = "platform", worker = (${fields.join(', ')}))`,
    `(name = "buckets", disk = (path = ${text(buckets)}, writable = true))`,
    `(name = "assets", disk = (path = ${text(assets)}))`,
    '(name = "public", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true)))',
  ]
}

const toBindings = (worker: WorkerConfig, plan: WorkerdPlan): string[] =>
  listBindings(worker, plan).map(([binding, value]) => `(name = ${text(binding)}, ${value})`)

/**
 * Bindings of a Worker by name, with their values as Cap'n Proto text.
 * @param objectsOf service that has its Durable Objects; undefined: the Worker itself
 */
const listBindings = (worker: WorkerConfig, plan: WorkerdPlan, objectsOf?: string): [name: string, value: string][] => {
  const names = plan.workers.map(({ name }) => name)
  const service = objectsOf === undefined ? '' : `, serviceName = ${text(objectsOf)}`
  return [
    ...Object.entries(worker.vars ?? {}).map(([key, value]): [string, string] => [key, `text = ${text(value)}`]),
    ...(worker.services ?? []).map(({ binding, service }): [string, string] => {
      if (!names.includes(service) && !(service in (plan.elsewhere ?? {})))
        throw new Error(`${worker.name}: ${binding} is bound to ${service}, which no process runs`)
      return [binding, `service = ${text(service)}`]
    }),
    ...listObjects(worker).map((object): [string, string] => [
      object.name,
      `durableObjectNamespace = (className = ${text(object.class_name)}${service})`,
    ]),
    ...listPlatformBindings(worker, plan),
  ]
}

const listPlatformBindings = (worker: WorkerConfig, { platform }: WorkerdPlan): [name: string, value: string][] => {
  const producers = worker.queues?.producers ?? []
  // There are no queues: sends would fail, but without subscriptions nothing is sent.
  if (!platform) return producers.map(({ binding }) => [binding, 'json = "{}"'])
  const assets = worker.assets?.binding
  return [
    ...producers.map(({ binding, queue }): [string, string] => [
      binding,
      `service = ${toEntrypoint('Producer', { queue })}`,
    ]),
    ...(worker.r2_buckets ?? []).map(({ binding, bucket_name: bucket }): [string, string] => [
      binding,
      `service = ${toEntrypoint('Bucket', { bucket })}`,
    ]),
    ...(worker.ratelimits ?? []).map(({ name, simple }): [string, string] => [
      name,
      `wrapped = (moduleName = "edgebook:limiter", innerBindings = [(name = "quota", json = ${text(JSON.stringify(simple))})])`,
    ]),
    ...(typeof assets === 'string' ? [[assets, `service = ${toEntrypoint('Assets', {})}`] as [string, string]] : []),
  ]
}

const toEntrypoint = (entrypoint: string, props: object): string =>
  `(name = "platform", entrypoint = ${text(entrypoint)}, props = (json = ${text(JSON.stringify(props))}))`

/** What the date includes is left out: workerd would print a line about it. */
const toRuntime = ({ compatibility_date: date, compatibility_flags: flags = [] }: WorkerConfig): string[] => {
  const named = (flags as string[]).filter((flag) => flag !== 'nodejs_compat' || String(date) < '2026-08-04')
  return [`compatibilityDate = ${text(String(date))}`, `compatibilityFlags = [${named.map(text).join(', ')}]`]
}

const toWasmModules = (main: string, prefix: string, file: string): string[] =>
  findWasmModules(main).map(
    (name) => `(name = ${text(prefix + name)}, wasm = ${embed(join(dirname(main), name), file)})`,
  )

const listObjects = (worker: WorkerConfig): DurableObjects['bindings'] =>
  (worker.durable_objects as DurableObjects | undefined)?.bindings ?? []

const embed = (path: string, file: string): string => `embed ${text(relative(dirname(file), path))}`
