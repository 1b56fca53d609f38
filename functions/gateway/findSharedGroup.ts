import type { SharedGroup } from './connectSharedWorkers.ts'

/** The first pattern that matches a path names the group that answers it. */
const groupOfPath: readonly (readonly [RegExp, SharedGroup])[] = [
  [/^\/affiliate\//, 'affiliate'],
  [/^\/ref-codes\//, 'affiliate'],
  // an account alone is a page
  [/^\/accounts\/[^/]+\//, 'accounts'],
  [/^\/(notifications|subscriptions|telegram)\//, 'accounts'],
  [/^\/[^/]+\/(accounts|address)\//, 'accounts'],
  [/^\/[^/]+\/tokens\//, 'tokens'],
  [/^\/[^/]+\/(markets|simulation|yield)\//, 'markets'],
]

/** Which of the Workers that run once for all networks answers a path; it sees the path as it is. */
export const findSharedGroup = (pathname: string): SharedGroup | undefined =>
  groupOfPath.find(([pattern]) => pattern.test(pathname))?.[1]
