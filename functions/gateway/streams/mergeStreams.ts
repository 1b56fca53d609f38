import { encodeEvent } from '#shared/streams/serverSentEvent.ts'

/** Bytes that may wait for a slow client; the stream ends beyond them. */
const maxBufferedBytes = 1024 * 1024
/** Characters of one event. */
const maxEventLength = 512 * 1024

/** Data of a merged event, beside its `path`. */
type Merged = { event: string; data: unknown }

/**
 * The events of several streams in one. Each event is a message with `path`, `event` and `data`: `open` when the stream
 * of a path begins, and `refused` with status and body when it does not. The merged stream ends when one of them ends,
 * so that a client that reconnects gets all of them again, or when all are refused.
 * @param open requests the stream of a path
 */
export const mergeStreams = (
  paths: readonly string[],
  open: (path: string) => Promise<Response>,
): ReadableStream<Uint8Array> => {
  const readers = new Set<ReadableStreamDefaultReader<string>>()
  let isOver = false
  let refused = 0
  const cancelAll = (): void => {
    isOver = true
    for (const reader of readers) reader.cancel().catch(() => undefined)
  }

  const follow = async (path: string, write: (merged: Merged) => void): Promise<void> => {
    const response = await open(path)
    if (!response.ok || !response.body) {
      write({ event: 'refused', data: { status: response.status, body: parseJson(await response.text()) } })
      refused += 1
      if (refused === paths.length) throw new Error('all streams are refused')
      return
    }
    const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>
    const reader = response.body.pipeThrough(decoder).getReader()
    readers.add(reader)
    if (isOver) return cancelAll()
    write({ event: 'open', data: {} })
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`the stream of ${path} ends`)
      const parts = (rest + value).split('\n\n')
      rest = parts.pop() ?? ''
      if (rest.length > maxEventLength) throw new Error(`an event of ${path} is too long`)
      for (const part of parts) {
        const merged = readEvent(part)
        if (merged) write(merged)
      }
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const end = (): void => {
          if (isOver) return
          cancelAll()
          controller.close()
        }
        for (const path of paths) {
          const write = (merged: Merged): void => {
            if (isOver) return
            controller.enqueue(encodeEvent({ data: { path, ...merged } }))
            if ((controller.desiredSize ?? 0) <= 0) end()
          }
          follow(path, write).catch(end)
        }
      },
      cancel: cancelAll,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
  )
}

/** An event as this service writes it: one line of data. Comments and retry times are left out. */
const readEvent = (text: string): Merged | undefined => {
  const fields = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)] as const
    }),
  )
  const data = fields.get('data')
  return data === undefined ? undefined : { event: fields.get('event') ?? 'message', data: parseJson(data) }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
