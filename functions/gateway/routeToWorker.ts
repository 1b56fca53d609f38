import { findNetwork, type Network } from '#shared/networks.ts'

/** Endpoint groups that have a public route. */
export const routedGroups = ['quotes', 'orders', 'debug', 'status', 'streams'] as const
export type RoutedGroup = (typeof routedGroups)[number]

/** The first pattern that matches a path without its network segment names the group that answers it. */
const groupOfPath: readonly (readonly [RegExp, RoutedGroup])[] = [
  [/^\/api\/v1\/quote(\/stream)?$/, 'quotes'],
  [/^\/api\/v1\/token\//, 'quotes'],
  [/^\/api\/v1\/tokens$/, 'quotes'],
  [/^\/api\/v1\/debug\//, 'debug'],
  [/^\/api\/v1\/auction$/, 'debug'],
  [/^\/api\/v[12]\/solver_competition\//, 'debug'],
  [/^\/restricted\/api\/v[12]\//, 'debug'],
  [/^\/api\/v1\/orders\/([^/]+\/)?simulate$/, 'debug'],
  [/^\/status\.json$/, 'status'],
  [/^\/api\/v1\/(orders\/[^/]+|account\/[^/]+\/orders)\/events$/, 'streams'],
  [/^\/api\//, 'orders'],
]

export type WorkerRoute = {
  group: RoutedGroup
  /** undefined: the first segment names no network */
  network: Network | undefined
  /** what the Worker sees: the path without its network segment */
  path: string
}

/** Which Worker answers `/{network}/…`; undefined when no Worker has such a path, whatever the network. */
export const routeToWorker = (pathname: string): WorkerRoute | undefined => {
  const slash = pathname.indexOf('/', 1)
  if (slash < 0) return undefined
  const path = pathname.slice(slash)
  const group = groupOfPath.find(([pattern]) => pattern.test(path))?.[1]
  return group && { group, network: findNetwork(pathname.slice(1, slash)), path }
}
