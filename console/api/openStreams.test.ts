import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStreams } from './openStreams.ts'

const paths = ['/a', '/b']
let requests: { body: unknown; signal: AbortSignal; write: (event: object) => void; end: () => void }[] = []
let refusal: Response | undefined
let received: string[] = []

const newest = () => requests.at(-1) as (typeof requests)[number]
const open = () => openStreams(paths, ({ path, event }) => received.push(`${path} ${event}`))
const send = async (path: string, event: string) => {
  newest().write({ path, event, data: { status: 404 } })
  await vi.advanceTimersByTimeAsync(0)
}

beforeEach(() => {
  ;[requests, received, refusal] = [[], [], undefined]
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async (_: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    const encoder = new TextEncoder()
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const stream = new ReadableStream<Uint8Array>({
      start: (own) => {
        controller = own
        signal.addEventListener('abort', () => own.error(signal.reason))
      },
    })
    requests.push({
      body: JSON.parse(body),
      signal,
      write: (event) => controller?.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
      end: () => controller?.close(),
    })
    return refusal ?? new Response(stream)
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('one request has all paths, and their events are passed on', async () => {
  open()
  await send('/a', 'order')
  expect(newest().body).toEqual({ paths })
  expect(received).toEqual(['/a order'])
})

test('streams that end are reopened after a second', async () => {
  open()
  await send('/a', 'open')
  newest().end()
  await vi.advanceTimersByTimeAsync(999)
  expect(received).toEqual(['/a open', '/a closed', '/b closed'])
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(requests).toHaveLength(2)
})

test('a refused request is repeated after growing delays, and at least after the time that the API states', async () => {
  refusal = new Response('{}', { status: 429 })
  open()
  for (const wait of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
    await vi.advanceTimersByTimeAsync(0)
    const before = requests.length
    refusal = new Response('{}', { status: 429 })
    await vi.advanceTimersByTimeAsync(wait - 1)
    expect(requests).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toHaveLength(before + 1)
  }
  expect(new Set(received)).toEqual(new Set(['/a refused', '/b refused']))
})

test('a refused path is requested again with the others, which stay open until then', async () => {
  open()
  await send('/a', 'open')
  await send('/b', 'refused')
  await vi.advanceTimersByTimeAsync(4_999)
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(100)
  expect(requests).toHaveLength(2)
  expect(received).toEqual(['/a open', '/b refused'])
})

test('a silent connection is replaced', async () => {
  open()
  await send('/a', 'open')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests[0]?.signal.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(requests).toHaveLength(2)
})

test('a closed connection is not reopened', async () => {
  const close = open()
  await send('/a', 'open')
  close()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(requests).toHaveLength(1)
  expect(received).toEqual(['/a open'])
})
