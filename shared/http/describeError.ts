import { ApiError } from './errors.ts'
import { redact } from './redact.ts'

const maxLength = 500

/**
 * An error in one line of the log, `redact`ed. viem's short message leaves out the RPC's URL, drizzle's cause leaves out the
 * statement; what a database's or a node's driver wraps is said instead of the wrapping.
 */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return redact(String(error)).slice(0, maxLength)
  const cause = findCause(error)
  if (cause) return describeError(cause)
  const text = 'shortMessage' in error ? String(error.shortMessage) : error.message
  return redact(`${error.name}: ${text}`).replace(/\s+/g, ' ').slice(0, maxLength)
}

const findCause = (error: Error): unknown => {
  if (error instanceof ApiError) return error.context?.cause
  if ('sourceError' in error) return error.sourceError
  return error.message.startsWith('Failed query') || error.message === 'fetch failed' ? error.cause : undefined
}
