/**
 * `Cache-Control` of each kind of response, in seconds. A response without a policy is `noStore`. No `s-maxage` and no
 * `must-revalidate`: either would disable serving stale responses at the edge.
 */
export const cachePolicies = {
  /** errors, quotes, dry runs, debug reports, balances */
  noStore: 'no-store',
  /** streams; `no-transform` prevents intermediaries from buffering them for compression */
  stream: 'no-store, no-transform',
  /** resources that can still change: cached by the client only, revalidated on each use */
  live: 'no-cache',
  /** an order in a final state */
  terminal: 'public, max-age=60, stale-while-revalidate=300',
  /** content-addressed resources */
  immutable: 'public, max-age=31536000, immutable',
  /** a competition too old for a reorganisation to change it */
  finalCompetition: 'public, max-age=86400',
  nativePrice: 'public, max-age=10, stale-while-revalidate=30',
  tokenMetadata: 'public, max-age=60, stale-while-revalidate=300',
  usdPrice: 'public, max-age=60, stale-while-revalidate=300, stale-if-error=600',
  /** no source knows the token; failures of a source are never cached */
  unknownToken: 'public, max-age=15',
  topHolders: 'public, max-age=300, stale-while-revalidate=3600',
  /** token metadata rarely changes, but a contract may be deployed at an empty address */
  tokenDetails: 'public, max-age=300, stale-while-revalidate=3600',
  market: 'public, max-age=120',
  yield: 'public, max-age=3600',
  notifications: 'public, max-age=300',
  /** expensive to compute: all trades of a trader, or of all traders of a code */
  statistics: 'public, max-age=60, stale-while-revalidate=300',
  /** newest entries of a network */
  recent: 'public, max-age=5',
  /** the running interval changes with every trade */
  candles: 'public, max-age=15',
  /** status of the deployment */
  status: 'public, max-age=5',
  /** descriptions of the deployment: `/limits`, `/openapi.json` */
  service: 'public, max-age=300',
  /** the console's HTML page, which references the files of the newest version */
  page: 'no-cache',
  /** pages and files without a content hash in their names */
  asset: 'public, max-age=3600',
} as const
