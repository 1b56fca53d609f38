import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { StreamRefusal } from '#shared/streams/openCountedStream.ts'
import { computeClientShard } from '../computeShard.ts'
import { feedsOfNetwork } from '../openOrderStream.ts'
import type { Settings } from '../settings.ts'

export type SocketRefusal = StreamRefusal<'socketsPerClient' | 'socketsPerFeed'>

/** Header of an upgrade request to a feed: key under which the connections of a client are counted. */
export const socketClientHeader = 'X-Socket-Client'

/**
 * Opens a WebSocket at a feed. All connections of a client are at one feed, which counts them; a client that finds it full
 * gets a feed of its own.
 * @returns the response with the WebSocket
 * @throws ApiError `ServiceUnavailable` when the feed fails
 */
export const openSocket = async (
  { FEEDS, NETWORK }: Pick<Settings, 'FEEDS' | 'NETWORK'>,
  client: string,
): Promise<Response | SocketRefusal> => {
  const openAt = async (feed: string): Promise<Response | SocketRefusal> => {
    const headers = { Upgrade: 'websocket', [socketClientHeader]: client }
    const response = await FEEDS.getByName(feed).fetch(new Request('http://feed/', { headers }))
    return response.status === 429 ? ((await response.json()) as SocketRefusal) : response
  }
  const shared = `${NETWORK.name}:${computeClientShard(client, feedsOfNetwork)}`
  try {
    const opened = await openAt(shared)
    if (opened instanceof Response || opened.limit !== 'socketsPerFeed') return opened
    return await openAt(`${shared}:${client}`)
  } catch (error) {
    throw new ApiError('ServiceUnavailable', { context: { feed: shared, cause: describeError(error) } })
  }
}
