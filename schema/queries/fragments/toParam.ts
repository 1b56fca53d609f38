import { type Column, isSQLWrapper, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Values, or SQL in their place, such as those that `prepared` gives. */
export type OrSql<Values> = { [Name in keyof Values]: Values[Name] | SQLWrapper }

/** A parameter encoded like the values of a column; SQL stays as it is. */
export const toParam = (value: unknown, column: Column): SQL =>
  isSQLWrapper(value) ? sql`${value}` : sql`${sql.param(value ?? null, column)}`
