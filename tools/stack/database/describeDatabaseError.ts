import { errorFields } from '@neondatabase/serverless'

/** A Postgres error as Neon sends it; undefined for a failure that is not one (no connection, a closed pool). */
export const describeDatabaseError = (error: unknown): Record<string, unknown> | undefined => {
  if (!(error instanceof Error) || !('severity' in error)) return undefined
  const fields = error as unknown as Record<string, unknown>
  return { message: error.message, ...Object.fromEntries(errorFields.map((field) => [field, fields[field] ?? null])) }
}
