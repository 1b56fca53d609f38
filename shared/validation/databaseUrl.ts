import { z } from 'zod'

/** The setting `DATABASE_URL`; the database client requires user, password, host and database name. */
export const databaseUrlSchema = z
  .string()
  .regex(/^postgres(ql)?:\/\/[^:/]+:[^@/]+@[^/]+\/.+/, 'postgres://user:password@host/database')
