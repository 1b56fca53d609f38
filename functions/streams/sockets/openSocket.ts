import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { formatQuota, type Quota, quotaHeader } from '#shared/http/quota.ts'
import type { StreamRefusal } from '#shared/streams/openCountedStream.ts'
import { computeClientShard } from '../computeShard.ts'
import { feedsOfNetwork } from '../openOrderStream.ts'
import type { Settings } from '../settings.ts'

/** `held`: WebSockets of the client at a feed that is full */
export type SocketRefusal = StreamRefusal<'socketsPerClient' | 'socketsPerFeed'> & { held?: number }

/**
 * Headers of an upgrade request to a feed: key under which the connections of a client are counted; name of the client's
 * own feed, or at that one the number of its connections at the shared feed.
 */
export const socketHeaders = {
  client: 'X-Socket-Client',
  own: 'X-Socket-Own-Feed',
  shared: 'X-Sockets-Shared',
} as const

/**
 * Opens a WebSocket at a feed. All connections of a client are at one feed, which counts them; a client that finds it full
 * gets a feed of its own, and both feeds together count its connections.
 * @param quota of the client's reads, which its messages count for; undefined: none
 * @returns the response with the WebSocket
 * @throws ApiError `ServiceUnavailable` when the feed fails
 */
export const openSocket = async (
  { FEEDS, NETWORK }: Pick<Settings, 'FEEDS' | 'NETWORK'>,
  client: string,
  quota: Quota | undefined,
): Promise<Response | SocketRefusal> => {
  const counted: Record<string, string> = quota ? { [quotaHeader]: formatQuota(quota) } : {}
  const openAt = async (feed: string, place: Record<string, string>): Promise<Response | SocketRefusal> => {
    const headers = { Upgrade: 'websocket', [socketHeaders.client]: client, ...counted, ...place }
    const response = await FEEDS.getByName(feed).fetch(new Request('http://feed/', { headers }))
    return response.status === 429 ? ((await response.json()) as SocketRefusal) : response
  }
  const shared = `${NETWORK.name}:${computeClientShard(client, feedsOfNetwork)}`
  const own = `${shared}:${client}`
  try {
    const opened = await openAt(shared, { [socketHeaders.own]: own })
    if (opened instanceof Response || opened.limit !== 'socketsPerFeed') return opened
    return await openAt(own, { [socketHeaders.shared]: String(opened.held ?? 0) })
  } catch (error) {
    throw new ApiError('ServiceUnavailable', { context: { feed: shared, cause: describeError(error) } })
  }
}
