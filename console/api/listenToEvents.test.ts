import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listenToEvents } from './listenToEvents.ts'

/** A stream as a browser has it, told what to do by the test. */
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
  tell(name: string, data: unknown, lastEventId = '') {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }))
  }
}

let sources: Source[] = []
let states: string[] = []
let told: unknown[] = []

const newest = () => sources.at(-1) as Source
const listen = () =>
  listenToEvents({
    toUrl: (id) => `/events?${id}`,
    listeners: { order: (data: unknown) => told.push(data) },
    onState: (state) => states.push(state),
  })

beforeEach(() => {
  ;[sources, states, told] = [[], [], []]
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Source)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('listenToEvents', () => {
  test('gives the parsed data of what it listens to', () => {
    listen()
    newest().open()
    newest().tell('order', { id: 7 })
    newest().tell('other', { id: 8 })
    expect(told).toEqual([{ id: 7 }])
    expect(states).toEqual(['live'])
  })

  test('stays live when the service sends an event named error', () => {
    listen()
    newest().open()
    newest().tell('error', { message: 'the log cannot be read now' })
    expect(states).toEqual(['live'])
  })

  test('leaves it to the browser to connect again', () => {
    listen()
    newest().open()
    newest().interrupt()
    newest().open()
    vi.advanceTimersByTime(600_000)
    expect(states).toEqual(['live', 'connecting', 'live'])
    expect(sources).toHaveLength(1)
  })

  test('opens a refused stream anew, later each time, from where it was', () => {
    listen()
    newest().open()
    newest().tell('order', {}, '0:9')
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

  test('ends for good', () => {
    const stop = listen()
    newest().refuse()
    stop()
    vi.advanceTimersByTime(600_000)
    expect(sources).toHaveLength(1)
  })
})
