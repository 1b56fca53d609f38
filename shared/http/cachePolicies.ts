/**
 * What may be kept of each kind of answer, and for how long: `Cache-Control`, seconds. Whatever names none of them is
 * `noStore`. No `s-maxage` and no `must-revalidate`: either would switch off serving stale answers at the edge.
 */
export const cachePolicies = {
  /** errors, quotes, dry runs, debug reports, balances */
  noStore: 'no-store',
  /** streams, which nobody may hold back to compress either */
  stream: 'no-store, no-transform',
  /** what can still change: kept by the client alone, and asked for again each time */
  live: 'no-cache',
  /** an order that has come to its end */
  terminal: 'public, max-age=60, stale-while-revalidate=300',
  /** what is named by its own hash */
  immutable: 'public, max-age=31536000, immutable',
  /** a competition that no reorganisation reaches any more */
  finalCompetition: 'public, max-age=86400',
  nativePrice: 'public, max-age=10, stale-while-revalidate=30',
  tokenMetadata: 'public, max-age=60, stale-while-revalidate=300',
  usdPrice: 'public, max-age=60, stale-while-revalidate=300, stale-if-error=600',
  /** no source knows the token; that a source failed is never kept */
  unknownToken: 'public, max-age=15',
  topHolders: 'public, max-age=300, stale-while-revalidate=3600',
  /** contracts do not change what they say, but a new one may appear */
  tokenDetails: 'public, max-age=300, stale-while-revalidate=3600',
  market: 'public, max-age=120',
  yield: 'public, max-age=3600',
  notifications: 'public, max-age=300',
  /** computed from all trades of a trader, or of all traders of a code, and nobody needs them to the second */
  statistics: 'public, max-age=60, stale-while-revalidate=300',
  /** how the deployment is doing */
  status: 'public, max-age=5',
  /** what the deployment says of itself: `/limits`, `/openapi.json` */
  service: 'public, max-age=300',
  /** the one page of the console: it names the files of the newest version */
  page: 'no-cache',
  /** pages and their files, whose names do not change with their contents */
  asset: 'public, max-age=3600',
} as const
