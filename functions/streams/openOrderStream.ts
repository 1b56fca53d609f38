import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { OrderStreamRefusal, StreamRequest } from './answerWithStream.ts'
import { computeShard } from './computeShard.ts'
import type { Settings } from './settings.ts'

/** What a feed is asked for, as the JSON body of a request; `feed` is its name. */
export type FeedRequest = StreamRequest & { feed: string }

/**
 * Asks the feed of a topic for a stream.
 * @throws ApiError `ServiceUnavailable` when the feed fails
 */
export const openOrderStream = async (
  { FEEDS, EVENT_FEEDS, NETWORK }: Pick<Settings, 'FEEDS' | 'EVENT_FEEDS' | 'NETWORK'>,
  request: StreamRequest,
): Promise<ReadableStream | OrderStreamRefusal> => {
  const feed = `${NETWORK.name}:${computeShard(request.topic, EVENT_FEEDS)}`
  const body: FeedRequest = { ...request, feed }
  try {
    const response = await FEEDS.getByName(feed).fetch(
      new Request('http://feed/', { method: 'POST', body: JSON.stringify(body) }),
    )
    if (response.ok && response.body) return response.body
    return (await response.json()) as OrderStreamRefusal
  } catch (error) {
    throw new ApiError('ServiceUnavailable', { context: { feed, cause: describeError(error) } })
  }
}
