import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonObject } from '../jsonObject.ts'
import { redact } from './redact.ts'

const current = new AsyncLocalStorage<string>()

/** Runs the work for one request, so that every `logEntry` inside it names that request. */
export const withRequestId = <T>(requestId: string | null, work: () => T): T =>
  requestId === null ? work() : current.run(requestId, work)

/**
 * Writes one JSON line to the log, with its texts `redact`ed and the id of the current request as `requestId`, as in the
 * gateway's log.
 */
export const logEntry = (entry: JsonObject): void => {
  const requestId = current.getStore()
  console.error(JSON.stringify({ ...entry, ...(requestId ? { requestId } : {}) }, redactText))
}

const redactText = (_key: string, value: unknown): unknown => (typeof value === 'string' ? redact(value) : value)
