import type { NeonQueryFunction } from '@neondatabase/serverless'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { sendInTurn } from '#shared/connections/connectionLimit.ts'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { measureRoundTrip } from '#shared/logging/serverTiming.ts'
import { connectNeon, type SendStatement } from './neon/connectNeon.ts'

/** The database over HTTP: one round trip a statement, `batch` for several in one transaction. */
export type Database = NeonHttpDatabase & { $client: NeonQueryFunction<false, false> }

/** includes the start of a suspended database, milliseconds */
const defaultTimeoutMs = 8_000

/** Sends a request of Neon's protocol. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>

/**
 * Connects to the Postgres of `databaseUrl`; holds no connection, so one instance serves every request.
 * @param timeoutMs for a statement or a batch, its rows included
 */
export const connectDatabase = (
  databaseUrl: string,
  timeoutMs = defaultTimeoutMs,
  send: SendRequest = (url, init) => fetch(url, init),
): Database =>
  drizzle(
    connectNeon(databaseUrl, (url, init) => measureRoundTrip('db', () => sendStatement(url, init, timeoutMs, send))),
  )

/**
 * Reads the whole response, so that a truncated one counts as an outage.
 * @throws ApiError `ServiceUnavailable` when the database is unavailable or does not respond in time; never for the
 *   fault of a statement
 */
const sendStatement = async (
  url: string,
  init: RequestInit,
  timeoutMs: number,
  send: SendRequest,
): ReturnType<SendStatement> => {
  try {
    const start = () => send(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    const response = await sendInTurn('database', start)
    const { ok, status } = response
    if (status >= 500 || status === 429) throw new Error(`status ${status}`)
    const text = await response.text()
    return { ok, status, text: async () => text, json: async () => JSON.parse(text) }
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
