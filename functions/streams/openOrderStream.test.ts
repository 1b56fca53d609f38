import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import type { OrderStreamRefusal } from './answerWithStream.ts'
import { openOrderStream } from './openOrderStream.ts'

const request = { topic: { account: filledOrder.owner }, client: 'client', lastEventId: undefined }

/** Requests a stream from feeds that refuse as given, by the number of the request. */
const open = async (refusals: readonly (OrderStreamRefusal | undefined)[]) => {
  const feeds: string[] = []
  const fetch = async (sent: Request) => {
    const refusal = refusals[feeds.length - 1]
    expect(await sent.json()).toMatchObject({ client: 'client', feed: feeds.at(-1) })
    return refusal ? Response.json(refusal, { status: 429 }) : new Response('stream')
  }
  const getByName = (name: string) => {
    feeds.push(name)
    return { fetch }
  }
  return { opened: await openOrderStream({ FEEDS: { getByName }, NETWORK: networks.sepolia }, request), feeds }
}

test('opens a stream from the feed that all clients of a topic share', async () => {
  const { opened, feeds } = await open([])
  expect(opened).toBeInstanceOf(ReadableStream)
  expect(feeds).toEqual([expect.stringMatching(/^sepolia:[0-3]$/)])
})

test('a client that finds the feed full gets a feed of its own', async () => {
  const { opened, feeds } = await open([{ limit: 'streamsPerTopic', max: 2_000 }])
  expect(opened).toBeInstanceOf(ReadableStream)
  expect(feeds).toEqual([feeds[0], `${feeds[0]}:client`])
})

test('a client with too many streams is refused by the first feed', async () => {
  const refusal = { limit: 'streamsPerClient', max: 50 } as const
  expect(await open([refusal])).toMatchObject({ opened: refusal, feeds: { length: 1 } })
})
