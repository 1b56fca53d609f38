import { neon, neonConfig, types } from '@neondatabase/serverless'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { measureRoundTrip } from '#shared/http/serverTiming.ts'

/** The database over HTTP: one round trip a statement, `batch` for several in one transaction. */
export type Database = NeonHttpDatabase

const byteaOid = 17
const statementTimeoutMs = 10_000
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])
const productionEndpoint = neonConfig.fetchEndpoint

neonConfig.fetchEndpoint = (host, port, options = { jwtAuth: false }) => {
  if (loopbackHosts.has(host)) return `http://${host}:${port}/sql`
  return typeof productionEndpoint === 'function' ? productionEndpoint(host, port, options) : productionEndpoint
}
neonConfig.fetchFunction = (url: string, init: RequestInit) => measureRoundTrip('db', () => fetchStatement(url, init))

/** `bytea` stays text (`\x…`): the columns turn it into `0x…` themselves. */
types.setTypeParser(byteaOid, (text: string) => text)

/** Connects to the Postgres of `databaseUrl`; holds no connection, so one instance serves every request. */
export const connectDatabase = (databaseUrl: string): Database => drizzle(neon(databaseUrl))

/** @throws ApiError `ServiceUnavailable` when the database does not answer in time or is not well, never for a statement's own fault */
const fetchStatement = async (url: string, init: RequestInit): Promise<Response> => {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(statementTimeoutMs) }).catch(unavailable)
  return answer.status >= 500 ? unavailable(`status ${answer.status}`) : answer
}

const unavailable = (cause: unknown): never => {
  throw new ApiError('ServiceUnavailable', {
    data: { dependency: 'database', retryable: true },
    context: { cause: describeError(cause) },
  })
}
