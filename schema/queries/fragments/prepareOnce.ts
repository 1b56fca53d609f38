import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { type PlaceholderValues, type PreparedStatement, prepareStatement } from '../../neon/prepareStatement.ts'

/** A parameter of each execution, encoded like the values of its column. */
export type Given = (name: string, column: Column) => SQL

const given: Given = (name, column) => sql`${sql.param(sql.placeholder(name), column)}`

/** Builds a statement of drizzle with placeholders; its text does not depend on the database. */
type Build<Result> = (database: Database, given: Given) => PromiseLike<Result>

/**
 * A statement whose text is built once for each isolate: building it takes a third of a read.
 * @returns runs it with the values of the placeholders
 */
export const prepareOnce = <Result>(build: Build<Result>) => {
  const find = prepareForBatch(build)
  return (database: Database, values: PlaceholderValues): Promise<Result> =>
    database.runPrepared(find(database), values)
}

/** As `prepareOnce`, for `runPreparedBatch`. */
export const prepareForBatch = <Result>(build: Build<Result>) => {
  let statement: PreparedStatement<Result> | undefined
  return (database: Database): PreparedStatement<Result> => {
    statement ??= prepareStatement<Result>(build(database, given))
    return statement
  }
}
