import { DatabaseError } from './DatabaseError.ts'
import { findEndpoint } from './findEndpoint.ts'
import { findReader } from './readValue.ts'
import { toParameter } from './toParameter.ts'

/** The text of a statement and its parameters, `$1` first. */
export type Query = { sql: string; params: readonly unknown[] }

export type Statement = Query & { arrayMode: boolean }

/** `rows`: arrays of columns with `arrayMode`, else objects by column name. */
export type StatementResult = {
  command: string
  rowCount: number | null
  fields: { name: string; dataTypeID: number }[]
  rows: unknown[]
}

/** A result whose values are Postgres' text. */
export type RawResult = Omit<StatementResult, 'rows'> & { rows: (string | null)[][] }

/** Sends a request; fails when the database is unavailable. */
export type SendStatement = (url: string, init: RequestInit) => Promise<Pick<Response, 'status' | 'text'>>

/**
 * A client of Neon's protocol for SQL over HTTP: one request a statement, or for a batch, which is one transaction.
 * Values are text in both directions (`toParameter`, `findReader`).
 */
export const createNeonClient = (databaseUrl: string, send: SendStatement) => {
  const url = findEndpoint(databaseUrl)
  const headers = {
    'Neon-Connection-String': buildConnectionString(databaseUrl),
    'Neon-Raw-Text-Output': 'true',
    'Neon-Array-Mode': 'true',
  }

  const request = async (body: object): Promise<unknown> => {
    const response = await send(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const { status } = response
    const text = await response.text()
    if (status < 300) return JSON.parse(text)
    throw new DatabaseError(status === 400 ? JSON.parse(text) : { message: `status ${status}: ${text}` })
  }

  const runRaw = async (query: Query): Promise<RawResult> => (await request(toQuery(query))) as RawResult
  const runRawBatch = async (queries: readonly Query[]): Promise<RawResult[]> => {
    const { results } = (await request({ queries: queries.map(toQuery) })) as { results: RawResult[] }
    if (results.length < queries.length) throw new Error('the database answered fewer statements than it was sent')
    return results
  }

  return {
    /** Leaves values as text. @throws DatabaseError when Postgres refuses the statement; what `send` throws */
    runRaw,
    /** Runs statements in one transaction and leaves values as text. @throws as `runRaw`; then none has an effect */
    runRawBatch,
    /** @throws as `runRaw` */
    run: async (statement: Statement): Promise<StatementResult> =>
      readResult(await runRaw(statement), statement.arrayMode),
    /** @throws as `runRawBatch` */
    runBatch: async (statements: readonly Statement[]): Promise<StatementResult[]> => {
      const results = await runRawBatch(statements)
      return results.map((result, i) => readResult(result, statements[i]?.arrayMode ?? true))
    },
  }
}

/** Postgres shows the name with the statements that it runs. */
const buildConnectionString = (databaseUrl: string): string => {
  const url = new URL(databaseUrl.replace(/^postgres:/, 'postgresql:'))
  if (!url.searchParams.has('application_name')) url.searchParams.set('application_name', 'edgebook')
  return url.href
}

const toQuery = ({ sql, params }: Query) => ({ query: sql, params: params.map(toParameter) })

/** Reads the values of a result by the types of its columns. */
export const readResult = (result: RawResult, arrayMode: boolean): StatementResult => {
  const { command, rowCount, fields } = result
  const readers = fields.map(({ dataTypeID }) => findReader(dataTypeID))
  const readRow = (row: (string | null)[]) => row.map((text, i) => (text === null ? null : readers[i]?.(text)))
  const rows = arrayMode
    ? result.rows.map(readRow)
    : result.rows.map((row) => Object.fromEntries(readRow(row).map((value, i) => [fields[i]?.name, value])))
  return { command, rowCount, fields, rows }
}
