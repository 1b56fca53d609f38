/**
 * One server-sent event; without a name it is a plain message. Browsers send the latest `id` when they reconnect; events
 * without one leave it unchanged.
 */
export type ServerSentEvent = { id?: string | undefined; event?: string; data: unknown }

const encoder = new TextEncoder()

export const encodeEvent = ({ id, event, data }: ServerSentEvent): Uint8Array =>
  encoder.encode(`${toField('id', id)}${toField('event', event)}${toField('data', JSON.stringify(data))}\n`)

const toField = (name: string, value: string | undefined): string => (value === undefined ? '' : `${name}: ${value}\n`)

/** Start of a stream: the browser's reconnect delay, milliseconds. */
export const encodeRetry = (ms: number): Uint8Array => encoder.encode(`retry: ${ms}\n\n`)

/** A comment that clients ignore; a failing write is how the runtime detects a disconnected client. */
export const keepAlive = encoder.encode(':\n\n')
