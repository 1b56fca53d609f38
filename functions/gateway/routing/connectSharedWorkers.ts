import { sharedWorkers } from '#shared/api/routes.ts'
import { isFetcher, type WorkerFetch } from './connectWorkers.ts'

/** The Workers that run once for all networks; `notifier` has no public route and is bound for `/readyz` only. */
const sharedGroups = [...sharedWorkers, 'notifier'] as const
export type SharedGroup = (typeof sharedGroups)[number]

export type SharedWorkers = Partial<Record<SharedGroup, WorkerFetch>>

/** Finds the service bindings `TOKENS`, `MARKETS`, … of the environment. */
export const connectSharedWorkers = (env: object): SharedWorkers =>
  Object.fromEntries(
    sharedGroups.flatMap((group) => {
      const binding: unknown = (env as Record<string, unknown>)[group.toUpperCase()]
      return isFetcher(binding) ? [[group, (request: Request) => binding.fetch(request)] as const] : []
    }),
  )
