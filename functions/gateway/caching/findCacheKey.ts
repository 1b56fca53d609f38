import { findNetwork, nativeSentinel } from '#shared/networks.ts'

export type CacheKey = {
  /** path and query in their one spelling: what the answer is asked for and kept under */
  url: string
  /** what to purge by; empty when nothing is ever purged */
  tags: string[]
}

type CacheableRoute = {
  /** of a path in lower-case hex, the network's segment left out where there is one */
  pattern: RegExp
  /** the query parameters that change the answer; no other one reaches the Worker */
  query: readonly string[]
  /** how the network is written: an order book has its name, the auxiliary API its chain id */
  network: 'name' | 'chainId' | 'none'
  tag?: 'order' | 'account'
}

const address = '0x[0-9a-f]{40}'
const token = `(?:${address}|-)`
const hash = '0x[0-9a-f]{64}'
const uid = '0x[0-9a-f]{112}'

const toRoute = (pattern: string, network: CacheableRoute['network'], rest: Partial<CacheableRoute> = {}) => ({
  pattern: new RegExp(`^${pattern}$`),
  network,
  query: [],
  ...rest,
})

/** Characters. The longest real one is an order's, 150; a cache remembers thousands, and nobody is to fill memory with them. */
const maxKeyLength = 512

/** Every route that may answer with a policy that lets caches keep it. */
export const cacheableRoutes: readonly CacheableRoute[] = [
  toRoute(`/tokens/${token}/(?:usdPrice|topHolders|details)`, 'chainId'),
  toRoute(`/api/v1/token/${address}/(?:native_price|metadata)`, 'name'),
  toRoute('/api/v1/tokens', 'name'),
  toRoute(`/accounts/${address}/notifications`, 'none', {
    query: ['before', 'limit', 'network', 'type'],
    tag: 'account',
  }),
  toRoute(`/api/v1/orders/${uid}(?:/status)?`, 'name', { tag: 'order' }),
  toRoute(`/api/v1/app_data/${hash}`, 'name'),
  toRoute(`/api/v[12]/solver_competition/(?:\\d{1,18}|by_tx_hash/${hash})`, 'name'),
  toRoute(`/markets/${token}-${token}/(?:slippageTolerance|volatilityDetails)`, 'chainId'),
  toRoute('/yield/pools-average-apr', 'chainId'),
  toRoute(`/affiliate/(?:trader-stats|affiliate-stats|trader-activity)/${address}`, 'none'),
  toRoute('/(?:limits|openapi\\.json|status\\.json)', 'none'),
  toRoute('/status\\.json', 'name'),
]

/**
 * The one spelling of a request that may be answered from a cache: addresses and hashes in lower case, `-` for the native
 * token, one name for each network, no trailing slash, no query parameter that the route does not know, the others in
 * alphabetical order. So no spelling splits a cache, and nobody fills it with spellings.
 * @returns undefined when no answer of this path is ever kept, or the query is longer than any real one
 */
export const findCacheKey = ({ pathname, searchParams }: URL): CacheKey | undefined => {
  const path = toLowerHex(pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname)
  const slash = path.indexOf('/', 1)
  const withoutNetwork = slash < 0 ? '' : path.slice(slash)
  for (const { pattern, network, query, tag } of cacheableRoutes) {
    const own = network === 'none' ? path : withoutNetwork
    if (!pattern.test(own)) continue
    const prefix = network === 'none' ? '' : findPrefix(path.slice(1, slash), network)
    if (prefix === undefined) return undefined
    const spelled = network === 'chainId' ? own.replace(sentinelToken, '-') : own
    const url = prefix + spelled + toQuery(searchParams, query)
    return url.length > maxKeyLength ? undefined : { url, tags: tag ? [`${tag}:${findSubject(path)}`] : [] }
  }
  return undefined
}

const toLowerHex = (path: string): string => path.replace(/0x[0-9a-fA-F]+/g, (hex) => hex.toLowerCase())

/** A token or one of a pair: the auxiliary API takes `-` and the sentinel for the same. */
const sentinelToken = new RegExp(`${nativeSentinel}(?=[/-])`, 'g')

const findPrefix = (segment: string, spelling: 'name' | 'chainId'): string | undefined => {
  const network = findNetwork(segment)
  return network && `/${network[spelling]}`
}

const toQuery = (given: URLSearchParams, known: readonly string[]): string => {
  if (given.size === 0 || known.length === 0) return ''
  const kept = new URLSearchParams([...given].filter(([name]) => known.includes(name)))
  kept.sort()
  return kept.size === 0 ? '' : `?${kept}`
}

/** The address or UID that a path is about. */
const findSubject = (path: string): string => /0x[0-9a-f]+/.exec(path)?.[0] ?? ''
