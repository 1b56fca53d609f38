import { buffer } from 'node:stream/consumers'
import { type RunningProvider, startProvider } from './startProvider.ts'

export type ReceivedRequest = { headers: Record<string, string | string[] | undefined>; body: Buffer; at: number }

/**
 * Response of a receiver from now on: a status, headers and a body that may stall or break off, `silent` for none, or a
 * closed connection.
 */
export type ReceiverResponse =
  | { status: number; headers?: Record<string, string>; body?: string; ending?: 'stalls' | 'breaks' }
  | 'silent'
  | 'hangs up'

export type RunningReceiver = Pick<RunningProvider, 'url' | 'stop'> & {
  /** all received messages, in order */
  received: ReceivedRequest[]
  answer: (how: ReceiverResponse | ((request: ReceivedRequest) => ReceiverResponse)) => void
  /** number of 200 responses per `webhook-id` */
  countAccepted: () => Record<string, number>
  /** number of requests without a response whose sender has hung up */
  countGivenUp: () => number
}

/** The status has arrived by then. */
const breaksAfterMs = 50

/** A real HTTP server that accepts posted messages. */
export const startReceiver = async (): Promise<RunningReceiver> => {
  const provider = await startProvider()
  const received: ReceivedRequest[] = []
  const accepted: Record<string, number> = {}
  let givenUp = 0
  let decide: (request: ReceivedRequest) => ReceiverResponse = () => ({ status: 200 })
  provider.answer(async (request, response) => {
    const arrived = { headers: request.headers, body: await buffer(request), at: Date.now() }
    received.push(arrived)
    const answer = decide(arrived)
    if (answer === 'silent') return void response.once('close', () => (givenUp += 1))
    if (answer === 'hangs up') return void request.socket.destroy()
    const id = String(request.headers['webhook-id'])
    if (answer.status === 200) accepted[id] = (accepted[id] ?? 0) + 1
    response.writeHead(answer.status, answer.headers)
    if (!answer.ending) return void response.end(answer.body)
    response.flushHeaders()
    if (answer.body) response.write(answer.body)
    if (answer.ending === 'breaks') setTimeout(() => response.destroy(), breaksAfterMs)
  })
  return {
    url: provider.url,
    stop: provider.stop,
    received,
    answer: (how) => {
      decide = typeof how === 'function' ? how : () => how
    },
    countAccepted: () => ({ ...accepted }),
    countGivenUp: () => givenUp,
  }
}
