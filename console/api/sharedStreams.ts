import { openStreams, type StreamEvent } from './openStreams.ts'

type Listener = (event: StreamEvent) => void

/** What the tabs of a browser say to each other. */
type Message =
  /** all paths that a tab follows; `added` are followed from their beginning */
  | { kind: 'want'; tab: string; paths: string[]; added: string[] }
  /** a tab has become the one that holds the connection, and needs to know what all want */
  | { kind: 'lead' }
  | { kind: 'event'; event: StreamEvent }

const name = 'edgebook streams'
/** Components of one page start their streams together, milliseconds. */
const gatherMs = 30
/** Time for which a hidden tab stays live: an order that fills soon is shown in its title, milliseconds. */
const dormantMs = 5 * 60_000

const tab = Math.random().toString(36)
const listeners = new Map<string, Set<Listener>>()
/** undefined in old browsers and on insecure pages, where each tab has a connection of its own */
const channel = globalThis.navigator?.locks && globalThis.BroadcastChannel && new BroadcastChannel(name)

let isDormant = false
/** leaves the queue of tabs for the connection, or gives the connection up */
let resign: (() => void) | undefined
/** of the tab that holds the connection */
let hub: ReturnType<typeof createHub> | undefined

/**
 * Follows the stream of a path until it is left. All tabs of the browser share one connection: browsers open six to a
 * host over HTTP/1.1. A stream that another tab follows as well begins anew for both.
 */
export const followStream = (path: string, listener: Listener): (() => void) => {
  const own = listeners.get(path) ?? new Set()
  listeners.set(path, own.add(listener))
  want([path])
  return () => {
    own.delete(listener)
    if (own.size > 0 || listeners.get(path) !== own) return
    listeners.delete(path)
    want([])
  }
}

const send = (message: Message): void => {
  receive(message)
  channel?.postMessage(message)
}

const receive = (message: Message): void => {
  if (message.kind === 'want') hub?.update(message)
  if (message.kind === 'lead') announce([...listeners.keys()])
  if (message.kind === 'event' && !isDormant) {
    for (const listener of listeners.get(message.event.path) ?? []) listener(message.event)
  }
}

const announce = (added: string[]): void =>
  send({ kind: 'want', tab, paths: isDormant ? [] : [...listeners.keys()], added: isDormant ? [] : added })

let gathered: string[] | undefined
const want = (added: string[]): void => {
  if (gathered) return void gathered.push(...added)
  gathered = added
  setTimeout(() => {
    const all = gathered?.filter((path) => listeners.has(path)) ?? []
    gathered = undefined
    if (listeners.size > 0 && !isDormant) enqueue()
    announce(all)
    if (listeners.size === 0) resign?.()
  }, gatherMs)
}

/** Waits for its turn to hold the connection. */
const enqueue = (): void => {
  if (resign) return
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  const aborter = new AbortController()
  resign = () => {
    resign = undefined
    aborter.abort()
    resolve()
  }
  const lead = async (): Promise<void> => {
    if (aborter.signal.aborted) return
    const own = createHub()
    hub = own
    send({ kind: 'lead' })
    await isOver
    if (hub === own) hub = undefined
    own.close()
  }
  if (!channel) void lead()
  else navigator.locks.request(name, { signal: aborter.signal }, lead).catch(() => undefined)
}

/** The connection with the streams that all tabs want. */
const createHub = () => {
  const byTab = new Map<string, string[]>()
  let opened: readonly string[] = []
  let close: (() => void) | undefined
  return {
    update: ({ tab: from, paths, added }: Extract<Message, { kind: 'want' }>): void => {
      if (paths.length > 0) byTab.set(from, paths)
      else byTab.delete(from)
      const wanted = [...new Set([...byTab.values()].flat())]
      // a stream that is not wanted any more stays until the next change
      if (wanted.length > 0 && added.length === 0 && wanted.every((path) => opened.includes(path))) return
      close?.()
      opened = wanted
      close = wanted.length === 0 ? undefined : openStreams(wanted, (event) => send({ kind: 'event', event }))
    },
    close: () => close?.(),
  }
}

channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))

/** A tab that is hidden for long follows nothing, and another one may hold the connection. */
const sleep = (): void => {
  isDormant = true
  announce([])
  resign?.()
}
const wake = (): void => {
  if (!isDormant) return
  isDormant = false
  want([...listeners.keys()])
}

let dormancy: ReturnType<typeof setTimeout> | undefined
globalThis.document?.addEventListener('visibilitychange', () => {
  clearTimeout(dormancy)
  if (document.hidden) dormancy = setTimeout(sleep, dormantMs)
  else wake()
})
globalThis.addEventListener?.('pagehide', sleep)
globalThis.addEventListener?.('pageshow', wake)
