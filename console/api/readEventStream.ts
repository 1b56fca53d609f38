/** One server-sent event. */
export type StreamedEvent = { name: string; data: string }

const maxEventLength = 500_000

/**
 * Events of a `text/event-stream` body, in order. Ids and retry times are ignored, since a POST stream is never
 * reconnected.
 * @throws Error when an event exceeds its size limit
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (rest + value).split(/\r\n\r\n|\n\n/)
      rest = parts.pop() ?? ''
      if (rest.length > maxEventLength) throw new Error('an event of the stream is too long')
      for (const part of parts) {
        const event = readEvent(part)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const readEvent = (text: string): StreamedEvent | undefined => {
  let name = 'message'
  const data: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
  }
  return data.length > 0 ? { name, data: data.join('\n') } : undefined
}
