import { openEventStream } from '#shared/streams/openEventStream.ts'
import { encodeEvent, keepAlive, type ServerSentEvent } from '#shared/streams/serverSentEvent.ts'

/** Short, because the runtime detects a disconnected client only when a write fails. */
const keepAliveMs = 1_000
/** Above all offers of one request, so that a slow client loses none. */
const maxBufferedBytes = 4 * 1024 * 1024

/**
 * The body of a `text/event-stream` response. It ends when `produce` ends; a comment every second keeps the connection open.
 * @param produce sends events; must not reject
 * @param leave called when the client has disconnected; events sent afterwards are dropped
 */
export const toEventStream = (
  produce: (send: (event: ServerSentEvent) => void) => Promise<void>,
  leave: () => void,
): ReadableStream<Uint8Array> => {
  const stream = openEventStream(maxBufferedBytes, () => {
    clearInterval(timer)
    leave()
  })
  const timer = setInterval(() => stream.write(keepAlive), keepAliveMs)
  void produce((event) => stream.write(encodeEvent(event))).finally(() => {
    clearInterval(timer)
    stream.end()
  })
  return stream.body
}
