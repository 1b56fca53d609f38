/** One server-sent event. The browser remembers `id` and sends it when it connects again; without one it keeps the last. */
export type ServerSentEvent = { id: string | undefined; event: string; data: unknown }

const encoder = new TextEncoder()

export const encodeEvent = ({ id, event, data }: ServerSentEvent): Uint8Array =>
  encoder.encode(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

/** Begins a stream: how long a browser waits before it connects again, milliseconds. */
export const encodeRetry = (ms: number): Uint8Array => encoder.encode(`retry: ${ms}\n\n`)

/** Means nothing to the client; a write is what tells the runtime that the client has left. */
export const keepAlive = encoder.encode(':\n\n')
