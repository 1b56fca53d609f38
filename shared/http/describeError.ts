import { redact } from './redact.ts'

const maxLength = 500

/**
 * An error in one line of the log, `redact`ed. viem's short message leaves out the RPC's URL, drizzle's cause leaves out the
 * statement.
 */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return redact(String(error)).slice(0, maxLength)
  if (error.message.startsWith('Failed query') && error.cause) return describeError(error.cause)
  const text = 'shortMessage' in error ? String(error.shortMessage) : error.message
  return redact(`${error.name}: ${text}`).replace(/\s+/g, ' ').slice(0, maxLength)
}
