import { type NetworkWorker, type RouteName, routes } from './routes.ts'

type Row<Name extends RouteName> = (typeof routes)[Name]

/** The Worker of a network sees a path without its `/{network}`. */
type OwnPath<Name extends RouteName> =
  Row<Name> extends { worker: NetworkWorker; path: `/{network}${infer Rest}` } ? Rest : Row<Name>['path']

export type Endpoint<Name extends RouteName> = { method: Row<Name>['method']; path: OwnPath<Name> }

/** Method and path of a route as its Worker declares them: `createRoute({ ...endpoint('getOrder'), … })`. */
export const endpoint = <const Name extends RouteName>(name: Name): Endpoint<Name> => {
  const { method, path } = routes[name]
  return { method, path: path.replace(/^\/\{network\}/, '') as OwnPath<Name> }
}
