import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listenToEvents } from './listenToEvents.ts'

/** An `EventSource` that the test controls. */
class Source extends EventTarget {
  static readonly CLOSED = 2
  readyState = 0
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    sources.push(this)
  }
  close() {
    this.readyState = Source.CLOSED
  }
  open() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  interrupt() {
    this.readyState = 0
    this.dispatchEvent(new Event('error'))
  }
  refuse() {
    this.close()
    this.dispatchEvent(new Event('error'))
  }
  send(name: string, data: unknown, lastEventId = '') {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }))
  }
}

let sources: Source[] = []
let states: string[] = []
let received: unknown[] = []

const newest = () => sources.at(-1) as Source
const listen = () =>
  listenToEvents({
    toUrl: (id) => `/events?${id}`,
    listeners: { order: (data: unknown) => received.push(data) },
    onState: (state) => states.push(state),
  })

beforeEach(() => {
  ;[sources, states, received] = [[], [], []]
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Source)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('listenToEvents', () => {
  test('passes the parsed data of subscribed events', () => {
    listen()
    newest().open()
    newest().send('order', { id: 7 })
    newest().send('other', { id: 8 })
    expect(received).toEqual([{ id: 7 }])
    expect(states).toEqual(['live'])
  })

  test('stays live when the service sends an event named error', () => {
    listen()
    newest().open()
    newest().send('error', { message: 'the log cannot be read now' })
    expect(states).toEqual(['live'])
  })

  test('passes an error event of the service, and none of the browser', () => {
    const errors: unknown[] = []
    listenToEvents({
      toUrl: () => '/events',
      listeners: { error: (data: unknown) => errors.push(data) },
      onState: () => undefined,
    })
    newest().open()
    newest().interrupt()
    newest().send('error', { message: 'the balances cannot be read now' })
    expect(errors).toEqual([{ message: 'the balances cannot be read now' }])
  })

  test('leaves reconnecting to the browser', () => {
    listen()
    newest().open()
    newest().interrupt()
    newest().open()
    vi.advanceTimersByTime(600_000)
    expect(states).toEqual(['live', 'connecting', 'live'])
    expect(sources).toHaveLength(1)
  })

  test('reopens a refused stream after growing delays, from its last event', () => {
    listen()
    newest().open()
    newest().send('order', {}, '0:9')
    for (const wait of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
      newest().refuse()
      const before = sources.length
      vi.advanceTimersByTime(wait - 1)
      expect(sources).toHaveLength(before)
      vi.advanceTimersByTime(1)
      expect(sources).toHaveLength(before + 1)
    }
    expect(newest().url).toBe('/events?0:9')
    newest().open()
    newest().refuse()
    vi.advanceTimersByTime(5_000)
    expect(sources).toHaveLength(8)
    expect(states.at(-1)).toBe('lost')
  })

  test('stops when closed', () => {
    const stop = listen()
    newest().refuse()
    stop()
    vi.advanceTimersByTime(600_000)
    expect(sources).toHaveLength(1)
  })
})
