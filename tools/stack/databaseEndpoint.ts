import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerSql } from './database/answerSql.ts'
import type { SqlBackend } from './database/sqlBackend.ts'
import { isLocalRequest } from './isLocalRequest.ts'
import { listenLocally } from './listenLocally.ts'
import { readBody } from './readBody.ts'

const maxBodyBytes = 64 * 1024 * 1024
/** longer than workerd holds an idle connection, so that it never sends a statement on a closing one */
const keepAliveMs = 60_000

export type DatabaseEndpoint = {
  /** `http://127.0.0.1:<port>/sql` */
  url: string
  /** connection string with which `neon()` of a local Worker finds this endpoint */
  databaseUrl: string
  close: () => Promise<void>
}

/**
 * Speaks Neon's HTTP protocol on 127.0.0.1 (`answerSql`). Web pages of other sites cannot reach the database: a request
 * with a foreign `Host` or `Origin` is 403, and one without `Neon-Connection-String`, like a form post, is 400.
 * @param options.port 0 takes any free port
 * @param options.access name of the database, and the password without which no other program of this machine reaches it
 */
export const databaseEndpoint = async (options: {
  backend: SqlBackend
  port: number
  access?: { name: string; password: string }
}): Promise<DatabaseEndpoint> => {
  const { access = { name: 'edgebook', password: 'edgebook' } } = options
  const server = createServer((request, response) => {
    if (!isLocalRequest(request)) return sendText(response, 403, 'this machine only')
    answer(options, request, response).catch((error: unknown) => {
      if (!response.headersSent) sendText(response, 500, error instanceof Error ? error.message : String(error))
      else response.destroy()
    })
  })
  server.keepAliveTimeout = keepAliveMs
  const { url, port, close } = await listenLocally(server, options.port)
  const databaseUrl = `postgres://edgebook:${access.password}@127.0.0.1:${port}/${access.name}`
  return { url: `${url}/sql`, databaseUrl, close }
}

const answer = async (
  { backend, access }: { backend: SqlBackend; access?: { password: string } },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (request.method !== 'POST' || request.url !== '/sql') return sendText(response, 404, 'POST /sql')
  const connection = request.headers['neon-connection-string']?.toString()
  if (!connection) return sendText(response, 400, 'Neon-Connection-String is missing')
  if (access && URL.parse(connection)?.password !== access.password) return sendText(response, 403, 'wrong password')
  const sent = await readBody(request, maxBodyBytes)
  if (!sent) return sendText(response, 413, `the body exceeds ${maxBodyBytes} bytes`)
  const header = (name: string): string | undefined => request.headers[name]?.toString()
  const { status, body } = await answerSql(backend, { header, text: sent.toString('utf8') })
  sendJson(response, status, body)
}

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

const sendText = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' }).end(text)
}
