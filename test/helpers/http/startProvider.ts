import { createServer, type RequestListener } from 'node:http'
import { listenLocally } from '#tools/stack/listenLocally.ts'

export type RunningProvider = {
  url: string
  /** path and query of each request, in order */
  asked: string[]
  /** headers of the newest request */
  headers: () => Record<string, string | string[] | undefined>
  /** sets the response from now on */
  answer: (listener: RequestListener) => void
  stop: () => Promise<void>
}

/** A real HTTP server in place of a data provider. */
export const startProvider = async (): Promise<RunningProvider> => {
  const asked: string[] = []
  let headers: Record<string, string | string[] | undefined> = {}
  let listener: RequestListener = (_request, response) => response.writeHead(500).end()
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    headers = request.headers
    listener(request, response)
  })
  const { url, close: stop } = await listenLocally(server)
  return {
    url,
    asked,
    headers: () => headers,
    answer: (next) => {
      listener = next
    },
    stop,
  }
}

/** Responds with a status and a JSON body, or text as is. */
export const respondWith =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** Every failure of a provider, by name. */
export const failures: [string, RequestListener][] = [
  ['401', respondWith({ error: 'invalid key' }, 401)],
  ['500', respondWith('oops', 500)],
  ['garbage', respondWith('<html>')],
  ['another shape', respondWith([1, 2, 3])],
  ['a redirect', (_request, response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end()],
  ['endless', (_request, response) => void response.writeHead(200).write('{"a":"'.padEnd(2_000_000, 'x'))],
  ['nothing', (request) => request.socket.destroy()],
]
