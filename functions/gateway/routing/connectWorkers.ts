import { networkWorkers } from '#shared/api/routes.ts'
import { type NetworkName, networkNames } from '#shared/networks.ts'

/** The Workers of one network; `auctions` has no public route and is bound for `/readyz` only. */
export const networkWorkerGroups = [...networkWorkers, 'auctions'] as const
export type NetworkWorkerGroup = (typeof networkWorkerGroups)[number]

export type WorkerFetch = (request: Request) => Promise<Response>

/** The Workers behind the gateway: one entry per deployed network. */
export type Workers = Partial<Record<NetworkName, Partial<Record<NetworkWorkerGroup, WorkerFetch>>>>

/** Finds the service bindings `<GROUP>_<NETWORK>` of the environment; a network with at least one is deployed. */
export const connectWorkers = (env: object): Workers => {
  const workers: Workers = {}
  for (const network of networkNames) {
    const groups = networkWorkerGroups.flatMap((group) => {
      const binding: unknown = (env as Record<string, unknown>)[`${group}_${network}`.toUpperCase()]
      return isFetcher(binding) ? [[group, (request: Request) => binding.fetch(request)] as const] : []
    })
    if (groups.length > 0) workers[network] = Object.fromEntries(groups)
  }
  return workers
}

/** Whether a binding is a service. */
export const isFetcher = (value: unknown): value is { fetch: WorkerFetch } =>
  typeof value === 'object' && value !== null && 'fetch' in value && typeof value.fetch === 'function'
