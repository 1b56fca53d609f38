import { expect, test } from 'vitest'
import type { Quota } from '#shared/http/quota.ts'
import { networks } from '#shared/networks.ts'
import { openSocket, type SocketRefusal } from './openSocket.ts'

/** Opens a WebSocket at feeds that refuse as given, by the number of the request. */
const open = async (refusals: readonly SocketRefusal[], quota?: Quota) => {
  const feeds: string[] = []
  const places: Record<string, string>[] = []
  const fetch = async ({ headers }: Request) => {
    const refusal = refusals[feeds.length - 1]
    const { upgrade, 'x-socket-client': client, ...place } = Object.fromEntries(headers)
    expect([upgrade, client]).toEqual(['websocket', '192.0.2.1'])
    places.push(place)
    return refusal ? Response.json(refusal, { status: 429 }) : new Response('socket')
  }
  const getByName = (name: string) => {
    feeds.push(name)
    return { fetch }
  }
  const settings = { FEEDS: { getByName }, NETWORK: networks.sepolia }
  return { opened: await openSocket(settings, '192.0.2.1', quota), feeds, places }
}

test('all connections of a client are at one feed', async () => {
  const both = await Promise.all([open([]), open([])])
  expect(both[0]?.opened).toBeInstanceOf(Response)
  expect(both[0]?.feeds).toEqual([expect.stringMatching(/^sepolia:[0-3]$/)])
  expect(both[1]?.feeds).toEqual(both[0]?.feeds)
})

test('a client that finds the feed full gets a feed of its own, which counts the connections at both', async () => {
  const { opened, feeds, places } = await open([{ limit: 'socketsPerFeed', max: 2_000, held: 7 }])
  expect(places).toEqual([{ 'x-socket-own-feed': `${feeds[0]}:192.0.2.1` }, { 'x-sockets-shared': '7' }])
  expect(opened).toBeInstanceOf(Response)
  expect(feeds).toEqual([feeds[0], `${feeds[0]}:192.0.2.1`])
})

test('a feed gets the quota of the client', async () => {
  expect((await open([], { requests: 600, seconds: 10 })).places).toEqual([
    { 'x-socket-own-feed': expect.any(String), 'x-quota': '600;w=10' },
  ])
})

test('a client with too many connections is refused', async () => {
  const refusal = { limit: 'socketsPerClient', max: 50 } as const
  expect(await open([refusal])).toMatchObject({ opened: refusal, feeds: { length: 1 } })
})
