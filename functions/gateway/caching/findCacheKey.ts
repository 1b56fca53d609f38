import type { Cacheable } from '#shared/api/routes.ts'
import { listIgnored } from '#shared/http/nameIgnoredFields.ts'
import { findNetwork, nativeSentinel } from '#shared/networks.ts'
import { findRoute, type PathRoutes } from '../routing/findRoute.ts'
import { withoutSlash } from '../routing/withoutSlash.ts'

export type CacheKey = {
  /** canonical path and query: the upstream request and the key of its response */
  url: string
  /** purge tags; empty when the route is never purged */
  tags: string[]
  /** query parameters that are not part of the key, as in `X-Ignored-Fields` */
  ignored?: string
}

const address = '0x[0-9a-f]{40}'
const token = `(?:${address}|-)`

/**
 * Parameters of cacheable paths, in lower case: a token or a pair, a number, a hash, an order UID; other values bypass
 * the cache.
 */
const parameter = new RegExp(`^(?:${token}(?:-${token})?|\\d{1,18}|0x[0-9a-f]{64}|0x[0-9a-f]{112})$`)

/** A hash or an order UID without `0x`, which routes read too. */
const bareHex = /^(?:[0-9a-f]{64}|[0-9a-f]{112})$/i

/** Characters. The longest valid key is an order's, 150; the bound limits memory across thousands of keys. */
const maxKeyLength = 512

/**
 * The canonical spelling of a cacheable request: addresses and hashes in lower case with `0x`, `-` for the native
 * token, one name per network, no trailing slash, only the query parameters of the route, in alphabetical order.
 * Different spellings share one entry, so a client cannot fill the cache with spellings.
 * @returns undefined when the path is not cacheable, or the query is longer than any valid one
 */
export const findCacheKey = ({ pathname, searchParams }: URL): CacheKey | undefined => {
  const route = findRoute(pathname)
  const cacheable = route?.methods.get?.cacheable
  if (!route || !cacheable) return undefined
  if (cacheable.uncachedWith !== undefined && searchParams.has(cacheable.uncachedWith)) return undefined
  const path = toOneSpelling(route, withoutSlash(pathname))
  if (path === undefined) return undefined
  const url = path + toQuery(searchParams, cacheable)
  if (url.length > maxKeyLength) return undefined
  const ignored = [...new Set(searchParams.keys())].filter((name) => !cacheable.query?.includes(name))
  return {
    url,
    tags: cacheable.tag ? [`${cacheable.tag}:${findSubject(path)}`] : [],
    ...(ignored.length > 0 ? { ignored: listIgnored(ignored) } : {}),
  }
}

const toOneSpelling = ({ path, segments }: PathRoutes, pathname: string): string | undefined => {
  const names = path.slice(1).split('/')
  const given = pathname.slice(1).split('/')
  const isAuxiliary = names[0] === '{chainId}'
  const spelled = segments.map((segment, i) => {
    const value = given[i] ?? ''
    if (segment !== undefined || names[i] === undefined) return segment
    return spellParameter(names[i].slice(1, -1), isAuxiliary ? value.replace(sentinelToken, '-') : value)
  })
  return spelled.includes(undefined) ? undefined : `/${spelled.join('/')}`
}

const spellParameter = (name: string, given: string): string | undefined => {
  if (name === 'network') return findNetwork(given)?.name
  if (name === 'chainId') return findNetwork(given)?.chainId.toString()
  const text = given.replace(bareHex, '0x$&').replace(/0x[0-9a-fA-F]+/g, (hex) => hex.toLowerCase())
  return parameter.test(text) ? text : undefined
}

/** A token or one of a pair: in the auxiliary API `-` and the sentinel mean the same. */
const sentinelToken = new RegExp(`${nativeSentinel}(?=-|$)`, 'gi')

/** One or two addresses or `-` */
const addresses = new RegExp(`^${token}(?:-${token})?$`, 'i')

const toQuery = (given: URLSearchParams, { query = [] }: Cacheable): string => {
  if (given.size === 0 || query.length === 0) return ''
  const known = new URLSearchParams(
    [...given]
      .filter(([name]) => query.includes(name))
      .map(([name, value]): [string, string] => [name, addresses.test(value) ? value.toLowerCase() : value]),
  )
  known.sort()
  return known.size === 0 ? '' : `?${known}`
}

/** The address or UID in a path. */
const findSubject = (path: string): string => /0x[0-9a-f]+/.exec(path)?.[0] ?? ''
