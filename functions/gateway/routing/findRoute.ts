import { type Method, type NetworkWorker, networkWorkers, type Route, routes } from '#shared/api/routes.ts'
import { withoutSlash } from './withoutSlash.ts'

/** A path of the route table; one Worker serves all its methods. */
export type PathRoutes = {
  /** `/{network}/api/v1/orders/{uid}` */
  path: string
  /** of the path; undefined for a parameter */
  segments: readonly (string | undefined)[]
  worker: Route['worker']
  methods: Partial<Record<Method, Route>>
}

const isParameter = (segment: string): boolean => segment.startsWith('{')

const toPathRoutes = ([path, rows]: [string, Route[]]): PathRoutes => ({
  path,
  segments: split(path).map((segment) => (isParameter(segment) ? undefined : segment)),
  worker: (rows[0] as Route).worker,
  methods: Object.fromEntries(rows.map((row) => [row.method, row])),
})

const split = (path: string): string[] => path.slice(1).split('/')

/** When two paths match, the one with a fixed segment at the first difference wins. */
const compareSegments = (a: PathRoutes, b: PathRoutes): number => {
  const at = a.segments.findIndex((segment, i) => (segment === undefined) !== (b.segments[i] === undefined))
  return at < 0 ? 0 : a.segments[at] === undefined ? 1 : -1
}

const paths = [...Map.groupBy<string, Route>(Object.values(routes), ({ path }) => path)].map(toPathRoutes)
const pathsByLength = Map.groupBy(paths.sort(compareSegments), ({ segments }) => segments.length)

const findMatching = (pathname: string): PathRoutes[] => {
  const given = split(pathname)
  return (pathsByLength.get(given.length) ?? []).filter(({ segments }) =>
    segments.every((segment, i) => segment === undefined || segment === given[i]),
  )
}

/** The routes of a path, with or without a trailing slash; undefined when the table has no such path. */
export const findRoute = (pathname: string): PathRoutes | undefined => findMatching(withoutSlash(pathname))[0]

/**
 * Whether a path lacks a method that its Worker would serve by another path, with a parameter in place of a fixed segment: GET
 * `orders/by_uids` is not the order `by_uids`.
 */
export const isMisread = (pathname: string, method: string): boolean => {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  const [route, ...others] = findMatching(pathname)
  return route !== undefined && !(name in route.methods) && others.some(({ methods }) => name in methods)
}

/** Whether the Worker is deployed once per network. */
export const isNetworkWorker = (worker: Route['worker']): worker is NetworkWorker =>
  networkWorkers.some((known) => known === worker)
