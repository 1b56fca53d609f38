import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { describeDatabaseError } from './database/describeDatabaseError.ts'
import type { BatchMode, SqlBackend } from './database/sqlBackend.ts'
import { isLocalRequest } from './isLocalRequest.ts'

const maxBodyBytes = 64 * 1024 * 1024
/** longer than workerd keeps an idle connection, so that it never sends a statement on a closing one */
const keepAliveMs = 60_000

const statementSchema = z.object({
  query: z.string(),
  params: z.array(z.union([z.string(), z.null()])).default([]),
})
const bodySchema = z.union([z.object({ queries: z.array(statementSchema) }), statementSchema])

const isolationLevels: Record<string, string> = {
  ReadUncommitted: 'READ UNCOMMITTED',
  ReadCommitted: 'READ COMMITTED',
  RepeatableRead: 'REPEATABLE READ',
  Serializable: 'SERIALIZABLE',
}

export type DatabaseEndpoint = {
  /** `http://127.0.0.1:<port>/sql` */
  url: string
  /** connection string with which `neon()` of a local Worker finds this endpoint */
  databaseUrl: string
  close: () => Promise<void>
}

/**
 * Speaks Neon's HTTP protocol on 127.0.0.1: POST /sql with `{ query, params }`, or `{ queries: […] }` as one
 * transaction. Values are always Postgres text (`Neon-Raw-Text-Output`, which the driver always requests); a failed
 * statement is 400 with the fields of the Postgres error. Web pages of other sites cannot reach the database: a request
 * with a foreign `Host` or `Origin` is 403, and one without `Neon-Connection-String`, like a form post, is 400.
 * @param options.port 0 takes any free port
 */
export const databaseEndpoint = async (options: { backend: SqlBackend; port: number }): Promise<DatabaseEndpoint> => {
  const server = createServer((request, response) => {
    if (!isLocalRequest(request)) return sendText(response, 403, 'this machine only')
    answer(options.backend, request, response).catch((error: unknown) => {
      if (!response.headersSent) sendText(response, 500, error instanceof Error ? error.message : String(error))
      else response.destroy()
    })
  })
  server.keepAliveTimeout = keepAliveMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/sql`,
    databaseUrl: `postgres://edgebook:edgebook@127.0.0.1:${port}/edgebook`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const answer = async (backend: SqlBackend, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method !== 'POST' || request.url !== '/sql') return sendText(response, 404, 'POST /sql')
  if (!request.headers['neon-connection-string']) return sendText(response, 400, 'Neon-Connection-String is missing')
  const text = await readBody(request)
  if (text === undefined) return sendText(response, 413, `the body exceeds ${maxBodyBytes} bytes`)
  const body = bodySchema.safeParse(parseJson(text))
  if (!body.success) return sendJson(response, 400, { message: `not a statement: ${z.prettifyError(body.error)}` })

  const rowAsArray = header(request, 'neon-array-mode') === 'true'
  try {
    if ('queries' in body.data) {
      const results = await backend.runBatch(body.data.queries, toBatchMode(request))
      sendJson(response, 200, { results: results.map((result) => shapeRows(result, rowAsArray)) })
    } else {
      sendJson(response, 200, shapeRows(await backend.run(body.data), rowAsArray))
    }
  } catch (error) {
    const described = describeDatabaseError(error)
    if (!described) throw error
    sendJson(response, 400, described)
  }
}

const toBatchMode = (request: IncomingMessage): BatchMode => ({
  isolationLevel: isolationLevels[header(request, 'neon-batch-isolation-level') ?? ''],
  readOnly: header(request, 'neon-batch-read-only') === 'true',
  deferrable: header(request, 'neon-batch-deferrable') === 'true',
})

const shapeRows = (result: Awaited<ReturnType<SqlBackend['run']>>, rowAsArray: boolean) => ({
  ...result,
  rowAsArray,
  rows: rowAsArray
    ? result.rows
    : result.rows.map((row) => Object.fromEntries(result.fields.map((field, index) => [field.name, row[index]]))),
})

const header = (request: IncomingMessage, name: string): string | undefined => request.headers[name]?.toString()

/** The body as text; undefined when too large. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBodyBytes) chunks.push(chunk)
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks).toString('utf8') : undefined
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

const sendText = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' }).end(text)
}
