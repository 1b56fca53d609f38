import { z } from 'zod'

/** The setting `DATABASE_URL`, as far as the database client insists on it: user, password, host and database name. */
export const databaseUrlSchema = z
  .string()
  .regex(/^postgres(ql)?:\/\/[^:/]+:[^@/]+@[^/]+\/.+/, 'postgres://user:password@host/database')
