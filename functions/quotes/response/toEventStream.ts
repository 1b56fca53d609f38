/** Short, because only a write that fails tells the runtime that the client has left. */
const keepAliveMs = 1_000
const keepAlive = ': keep-alive\n\n'

/** One server-sent event; without a name it is a plain message. */
export type ServerSentEvent = { event?: string; data: unknown }

/**
 * The body of a `text/event-stream` response. It ends when `produce` ends; a comment every second keeps the connection open.
 * @param produce sends events; must not reject
 * @param leave called when the client is gone: whatever is sent after that is dropped
 */
export const toEventStream = (
  produce: (send: (event: ServerSentEvent) => void) => Promise<void>,
  leave: () => void,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  let isOpen = true
  let timer: ReturnType<typeof setInterval> | undefined
  const close = () => {
    isOpen = false
    clearInterval(timer)
  }
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => {
        if (isOpen) controller.enqueue(encoder.encode(text))
      }
      timer = setInterval(() => write(keepAlive), keepAliveMs)
      produce(({ event, data }) =>
        write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`),
      ).finally(() => {
        if (isOpen) controller.close()
        close()
      })
    },
    cancel() {
      close()
      leave()
    },
  })
}
