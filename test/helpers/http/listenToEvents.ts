import { Agent, get, type IncomingMessage } from 'node:http'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { patienceMs } from '../patienceMs.ts'

export type HeardEvent = { id: string | undefined; name: string; data: Record<string, unknown> }

export type EventListening = {
  status: number
  headers: IncomingMessage['headers']
  /** in order of arrival */
  events: HeardEvent[]
  /** fields outside events */
  retry: () => string | undefined
  /** all received text, comments included */
  text: () => string
  /** waits for the first event of this name, after the first `after` */
  hear: (name: string, after?: number) => Promise<HeardEvent>
  isOpen: () => boolean
  /** closes the connection */
  close: () => void
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

/** Listens to a `text/event-stream` like a browser's EventSource, on its own connection. */
export const listenToEvents = async (url: string, headers: Record<string, string> = {}): Promise<EventListening> => {
  const request = get(url, { agent, headers })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  const events: HeardEvent[] = []
  let all = ''
  let retry: string | undefined
  let rest = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    all += chunk
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s)))
      retry = fields.retry ?? retry
      if (fields.data) events.push({ id: fields.id, name: fields.event ?? 'message', data: JSON.parse(fields.data) })
    }
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    retry: () => retry,
    text: () => all,
    hear: async (name, after = 0) => {
      const find = () => events.slice(after).find((event) => event.name === name)
      await waitUntil(`the event ${name}`, async () => find() !== undefined, {
        timeoutMs: patienceMs,
        intervalMs: 20,
      })
      return find() as HeardEvent
    },
    isOpen: () => !response.closed,
    close: () => request.destroy(),
  }
}
