import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { EventStreamRequest, OrderStreamRefusal } from './answerWithStream.ts'
import { computeShard } from './computeShard.ts'
import type { Settings } from './settings.ts'

/** Feeds among which the topics and the clients of a network are distributed. */
export const feedsOfNetwork = 4

/** JSON body of a stream request to a feed; `feed` is its name. */
export type FeedRequest = EventStreamRequest & { feed: string }

/**
 * Requests a stream from the feed of a topic. A client that finds it full gets a feed of its own, so that other clients cannot
 * exhaust its capacity.
 * @throws ApiError `ServiceUnavailable` when the feed fails
 */
export const openOrderStream = async (
  { FEEDS, NETWORK }: Pick<Settings, 'FEEDS' | 'NETWORK'>,
  request: EventStreamRequest,
): Promise<ReadableStream | OrderStreamRefusal> => {
  const openAt = async (feed: string): Promise<ReadableStream | OrderStreamRefusal> => {
    const body: FeedRequest = { ...request, feed }
    const response = await FEEDS.getByName(feed).fetch(
      new Request('http://feed/', { method: 'POST', body: JSON.stringify(body) }),
    )
    if (response.ok && response.body) return response.body
    return (await response.json()) as OrderStreamRefusal
  }
  const shared = `${NETWORK.name}:${computeShard(request.topic, feedsOfNetwork)}`
  try {
    const opened = await openAt(shared)
    if (opened instanceof ReadableStream || opened.limit !== 'streamsPerTopic') return opened
    return await openAt(`${shared}:${request.client}`)
  } catch (error) {
    throw new ApiError('ServiceUnavailable', { context: { feed: shared, cause: describeError(error) } })
  }
}
