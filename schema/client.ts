import { neon, neonConfig, types } from '@neondatabase/serverless'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { sendInTurn } from '#shared/connections/connectionLimit.ts'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { measureRoundTrip } from '#shared/logging/serverTiming.ts'

/** The database over HTTP: one round trip a statement, `batch` for several in one transaction. */
export type Database = NeonHttpDatabase

const byteaOid = 17
/** seconds of a database that has to wake up first */
const defaultTimeoutMs = 8_000
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])
const productionEndpoint = neonConfig.fetchEndpoint

neonConfig.fetchEndpoint = (host, port, options = { jwtAuth: false }) => {
  if (loopbackHosts.has(host)) return `http://${host}:${port}/sql`
  return typeof productionEndpoint === 'function' ? productionEndpoint(host, port, options) : productionEndpoint
}
neonConfig.fetchFunction = (url: string, init: StatementRequest) =>
  measureRoundTrip('db', () => fetchStatement(url, init))

/** `bytea` stays text (`\x…`): the columns turn it into `0x…` themselves. */
types.setTypeParser(byteaOid, (text: string) => text)

/** The driver hands on what `connectDatabase` gave it for `fetch`. */
type StatementRequest = RequestInit & { timeoutMs?: number }

/** Whether a connection string names this machine, where a local stack speaks Neon's protocol. */
export const isLoopback = (databaseUrl: string): boolean => loopbackHosts.has(new URL(databaseUrl).hostname)

/**
 * Connects to the Postgres of `databaseUrl`; holds no connection, so one instance serves every request.
 * @param timeoutMs for a statement or a batch, its rows included
 */
export const connectDatabase = (databaseUrl: string, timeoutMs = defaultTimeoutMs): Database =>
  drizzle(neon(databaseUrl, { fetchOptions: { timeoutMs } satisfies StatementRequest }))

/**
 * Reads the whole answer, so that one which breaks off is an outage too.
 * @throws ApiError `ServiceUnavailable` when the database does not answer in time or is not well, never for a statement's own fault
 */
const fetchStatement = async (
  url: string,
  { timeoutMs = defaultTimeoutMs, ...init }: StatementRequest,
): Promise<Response> => {
  try {
    const send = () => fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    const answer = await sendInTurn('database', send)
    if (answer.status >= 500 || answer.status === 429) throw new Error(`status ${answer.status}`)
    return new Response(await answer.arrayBuffer(), { status: answer.status })
  } catch (error) {
    return unavailable(error)
  }
}

const unavailable = (cause: unknown): never => {
  throw new ApiError('ServiceUnavailable', {
    data: { dependency: 'database', retryable: true },
    context: { cause: describeError(cause) },
  })
}
