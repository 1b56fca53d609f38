import { is, Param, Placeholder } from 'drizzle-orm'
import { buildRowReader, type SelectedField } from './buildRowReader.ts'
import { type Query, type RawResult, readResult } from './createNeonClient.ts'

/** Values of the placeholders of a statement, by name. */
export type PlaceholderValues = Readonly<Record<string, unknown>>

/** A statement whose text is built and whose columns are found once. */
export type PreparedStatement<Result = unknown> = {
  /** @throws Error naming a placeholder without a value */
  toQuery: (values: PlaceholderValues) => Query
  /** Reads what drizzle would: the rows of a select, the whole result of raw SQL. */
  read: (result: RawResult) => Result
}

/** What drizzle has prepared: its select, insert, update and delete, and raw SQL. */
type DrizzlePrepared = {
  getQuery: () => { sql: string; params: unknown[] }
  fields?: SelectedField[]
  joinsNotNullableMap?: Record<string, boolean>
}

type FillParameter = (values: PlaceholderValues) => unknown

/** @param item a statement of drizzle with placeholders, not executed */
export const prepareStatement = <Result>(item: PromiseLike<Result>): PreparedStatement<Result> => {
  const prepared = (item as unknown as { _prepare: () => DrizzlePrepared })._prepare()
  const { sql, params } = prepared.getQuery()
  const fillers = params.map(toFiller)
  const { fields, joinsNotNullableMap } = prepared
  const read = fields ? buildRowReader(fields, joinsNotNullableMap) : (result: RawResult) => readResult(result, false)
  return {
    toQuery: (values) => ({ sql, params: fillers.map((fill) => fill(values)) }),
    read: read as (result: RawResult) => Result,
  }
}

const toFiller = (param: unknown): FillParameter => {
  if (is(param, Placeholder)) return (values) => pick(values, param.name as string)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder } = param
  const { name } = param.value
  return (values) => {
    const value = pick(values, name as string)
    return value === null ? null : encoder.mapToDriverValue(value)
  }
}

const pick = (values: PlaceholderValues, name: string): unknown => {
  const value = values[name]
  if (value === undefined && !(name in values)) throw new Error(`no value for the placeholder ${name}`)
  return value ?? null
}
