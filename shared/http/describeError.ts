import { redact } from '../logging/redact.ts'
import { ApiError } from './errors.ts'

const maxLength = 500

/**
 * One line about an error for the log, `redact`ed. viem's short message omits the RPC URL, drizzle's cause omits the
 * statement; errors of node clients are unwrapped to their cause.
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
