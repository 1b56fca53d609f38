import type { Book } from '../platform/seedBook.ts'
import type { Platform } from '../platform/startPlatform.ts'

/** Open streams of server-sent events; a stream that ends is reopened. */
export type Streams = {
  /** since the last call */
  read: () => { events: number; ended: number; refused: number }
  close: () => void
}

export const openStreams = (urls: readonly string[]): Streams => {
  const closed = new AbortController()
  let counts = { events: 0, ended: 0, refused: 0 }
  const listen = async (url: string): Promise<void> => {
    while (!closed.signal.aborted) {
      try {
        const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal: closed.signal })
        if (!response.ok || !response.body) counts.refused += 1
        else for await (const chunk of response.body) counts.events += countEvents(chunk)
      } catch {
        // counted below
      }
      if (closed.signal.aborted) return
      counts.ended += 1
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
  for (const url of urls) void listen(url)
  return {
    read: () => {
      const read = counts
      counts = { events: 0, ended: 0, refused: 0 }
      return read
    },
    close: () => closed.abort(),
  }
}

const countEvents = (chunk: Uint8Array): number => new TextDecoder().decode(chunk).split('\n\n').length - 1

const streamCount = 20

/** An order's events, where they are streamed. */
export const findStreamUrls = async ({ baseUrl, tokens }: Platform, book: Book): Promise<string[]> => {
  const balances = `${baseUrl}/11155111/accounts/${book.owner}/balances/sse?tokens=${tokens.DAI?.address},${tokens.COW?.address}`
  const events = `${baseUrl}/sepolia/api/v1/orders/${book.liveUid}/events`
  const urls = (await isStreamed(events)) ? [balances, events] : [balances]
  return Array.from({ length: streamCount }, (_, index) => urls[index % urls.length] as string)
}

const isStreamed = async (url: string): Promise<boolean> => {
  const response = await fetch(url, { headers: { Accept: 'text/event-stream' } })
  await response.body?.cancel()
  return response.ok
}
