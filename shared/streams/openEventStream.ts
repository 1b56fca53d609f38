/** The body of a `text/event-stream` response, and the pen that writes it. Nothing runs behind it. */
export type EventStream = {
  body: ReadableStream<Uint8Array>
  write: (bytes: Uint8Array) => void
  /** whether the client has taken all that was written */
  isDrained: () => boolean
  /** ends it at once; what is written and not taken is lost */
  drop: () => void
  /** ends it in order: the client connects again when it likes */
  end: () => void
}

/**
 * @param maxBufferedBytes a client that is this far behind is dropped
 * @param leave called once when the client is gone or dropped, not when it is ended
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
