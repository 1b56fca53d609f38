/** The body of a `text/event-stream` response and its writer. It has no timers. */
export type EventStream = {
  body: ReadableStream<Uint8Array>
  write: (bytes: Uint8Array) => void
  /** whether the client has read all written bytes */
  isDrained: () => boolean
  /** aborts it; unread bytes are lost */
  drop: () => void
  /** closes it after the written bytes; the client may reconnect */
  end: () => void
}

/**
 * @param maxBufferedBytes a client with more unread bytes is dropped
 * @param leave called once when the client disconnects or is dropped, not on `end`
 */
export const openEventStream = (maxBufferedBytes: number, leave: () => void): EventStream => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const close = () => {
    const closed = controller
    controller = undefined
    return closed
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started
      },
      cancel() {
        if (close()) leave()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
  )
  const drop = () => {
    const dropped = close()
    if (!dropped) return
    dropped.error(new Error('the client reads too slowly'))
    leave()
  }
  return {
    body,
    write: (bytes) => {
      if (!controller) return
      if ((controller.desiredSize ?? 0) < bytes.byteLength) return drop()
      controller.enqueue(bytes)
    },
    isDrained: () => controller?.desiredSize === maxBufferedBytes,
    drop,
    end: () => close()?.close(),
  }
}
