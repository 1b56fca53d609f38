import { type Column, type DriverValueEncoder, is, Param, Placeholder, QueryPromise, type SQL, sql } from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { Database } from '../client.ts'
import { buildRowReader, type SelectedField } from './buildRowReader.ts'

/** A value of each execution; with a column, it is encoded like the values of that column. */
export type Given = {
  (name: string): Placeholder
  (name: string, column: Column): SQL
}

/** Values of each execution, by the name that `given` has. */
export type Values = Readonly<Record<string, unknown>>

/**
 * Prepares a query of drizzle: its text is built once for each isolate, not in each request.
 * @param build the query, with `given` for its values; `variant` has what the text depends on
 * @returns runs the query like one of drizzle: awaited, or in a batch
 */
export const prepared = <Result, Variant extends [object] | []>(
  build: (database: Database, given: Given, ...variant: Variant) => PromiseLike<Result>,
) => {
  const statements = new Map<string, Statement>()
  return (database: Database, values: Values, ...variant: Variant): PreparedQuery<Result> => {
    const key = Object.values(variant[0] ?? {}).join()
    const statement = statements.get(key) ?? toStatement(build(database, given, ...variant))
    statements.set(key, statement)
    return new PreparedQuery(database, statement, values)
  }
}

const given = ((name: string, column?: Column) =>
  column ? sql`${sql.param(sql.placeholder(name), column)}` : sql.placeholder(name)) as Given

type Statement = {
  text: string
  /** values of `$1`, `$2`, … */
  fillers: ((values: Values) => unknown)[]
  /** undefined for raw SQL, whose result is that of the driver */
  readRows: ((rows: unknown[][]) => unknown) | undefined
}

/** What drizzle has prepared: its select, insert, update and delete, and raw SQL. */
type DrizzlePrepared = {
  getQuery: () => { sql: string; params: unknown[] }
  fields?: SelectedField[]
  joinsNotNullableMap?: Record<string, boolean>
}

const toStatement = (query: PromiseLike<unknown>): Statement => {
  const prepared = (query as unknown as { _prepare: () => DrizzlePrepared })._prepare()
  const { fields, joinsNotNullableMap } = prepared
  const { sql: text, params } = prepared.getQuery()
  return { text, fillers: params.map(toFiller), readRows: fields && buildRowReader(fields, joinsNotNullableMap) }
}

const toFiller = (param: unknown): ((values: Values) => unknown) => {
  if (is(param, Placeholder)) return (values) => pick(values, param.name as string)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder, value } = param as { encoder: DriverValueEncoder<unknown, unknown>; value: Placeholder }
  return (values) => {
    const found = pick(values, value.name as string)
    return found === null ? null : encoder.mapToDriverValue(found)
  }
}

const pick = (values: Values, name: string): unknown => {
  const value = values[name]
  if (value === undefined && !(name in values)) throw new Error(`no value for the placeholder ${name}`)
  return value ?? null
}

class PreparedQuery<Result> extends QueryPromise<Result> implements RunnableQuery<Result, 'pg'> {
  declare readonly _: { readonly dialect: 'pg'; readonly result: Result }
  readonly #database: Database
  readonly #statement: Statement
  readonly #values: Values

  constructor(database: Database, statement: Statement, values: Values) {
    super()
    this.#database = database
    this.#statement = statement
    this.#values = values
  }

  override async execute(): Promise<Result> {
    const { sql, params } = this.getQuery()
    const options = { arrayMode: this.isResponseInArrayMode(), fullResults: true as const }
    return this.mapResult(await this.#database.$client.query(sql, params, options))
  }

  /** What drizzle calls in a batch, as the following ones. */
  _prepare() {
    return this
  }

  getQuery() {
    const { text, fillers } = this.#statement
    return { sql: text, params: fillers.map((fill) => fill(this.#values)) }
  }

  isResponseInArrayMode() {
    return this.#statement.readRows !== undefined
  }

  mapResult(result: { rows: unknown[] }) {
    const { readRows } = this.#statement
    return (readRows ? readRows(result.rows as unknown[][]) : result) as Result
  }
}
