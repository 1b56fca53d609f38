import { z } from 'zod'
import { type NetworkName, networkNames } from '../networks.ts'
import { jsonTextSchema } from './jsonText.ts'

/** The setting `DATABASE_URL`; the database client requires user, password, host and database name. */
export const databaseUrlSchema = z
  .string()
  .regex(/^postgres(ql)?:\/\/[^:/]+:[^@/]+@[^/]+\/.+/, 'postgres://user:password@host/database')

/** A setting with the database of each network that has its own. */
export const networkDatabasesSchema = jsonTextSchema
  .pipe(z.partialRecord(z.enum(networkNames), databaseUrlSchema))
  .transform((urls) => new Map(Object.entries(urls) as [NetworkName, string][]))
