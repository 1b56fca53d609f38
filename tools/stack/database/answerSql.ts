import { errorFields } from '@neondatabase/serverless'
import { z } from 'zod'
import type { BatchMode, SqlBackend } from './sqlBackend.ts'

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

/** A request of Neon's HTTP protocol: `{ query, params }`, or `{ queries: […] }` as one transaction. */
export type SqlRequest = { header: (name: string) => string | undefined; text: string }

/** Status and JSON body of the response. */
export type SqlAnswer = { status: number; body: unknown }

/**
 * Runs the statements of a request. Values are always Postgres text (`Neon-Raw-Text-Output`, which the driver always
 * requests); a failed statement is 400 with the fields of the Postgres error.
 * @throws Error when the database fails otherwise
 */
export const answerSql = async (backend: SqlBackend, { header, text }: SqlRequest): Promise<SqlAnswer> => {
  const body = bodySchema.safeParse(parseJson(text))
  if (!body.success) return { status: 400, body: { message: `not a statement: ${z.prettifyError(body.error)}` } }
  const rowAsArray = header('neon-array-mode') === 'true'
  try {
    if (!('queries' in body.data)) return { status: 200, body: shapeRows(await backend.run(body.data), rowAsArray) }
    const results = await backend.runBatch(body.data.queries, toBatchMode(header))
    return { status: 200, body: { results: results.map((result) => shapeRows(result, rowAsArray)) } }
  } catch (error) {
    const described = describeDatabaseError(error)
    if (!described) throw error
    return { status: 400, body: described }
  }
}

/** A Postgres error as Neon sends it; undefined for a failure that is not one (no connection, a closed pool). */
const describeDatabaseError = (error: unknown): Record<string, unknown> | undefined => {
  if (!(error instanceof Error) || !('severity' in error)) return undefined
  const fields = error as unknown as Record<string, unknown>
  return { message: error.message, ...Object.fromEntries(errorFields.map((field) => [field, fields[field] ?? null])) }
}

const toBatchMode = (header: SqlRequest['header']): BatchMode => ({
  isolationLevel: isolationLevels[header('neon-batch-isolation-level') ?? ''],
  readOnly: header('neon-batch-read-only') === 'true',
  deferrable: header('neon-batch-deferrable') === 'true',
})

const shapeRows = (result: Awaited<ReturnType<SqlBackend['run']>>, rowAsArray: boolean) => ({
  ...result,
  rowAsArray,
  rows: rowAsArray
    ? result.rows
    : result.rows.map((row) => Object.fromEntries(result.fields.map((field, index) => [field.name, row[index]]))),
})

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
