import { type Column, is, SQL, sql } from 'drizzle-orm'

/** Values, or SQL in their place, such as the placeholders of a prepared statement. */
export type OrSql<Values> = { [Name in keyof Values]: Values[Name] | SQL }

/** A parameter encoded like the values of a column; SQL stays as it is. */
export const toParam = (value: unknown, column: Column): SQL =>
  is(value, SQL) ? value : sql`${sql.param(value ?? null, column)}`
