import { z } from 'zod'
import { findNetwork, type NetworkName, networkNames } from '../networks.ts'
import { jsonTextSchema } from '../validation/settingFormats.ts'

/** The setting `NETWORK`: a name, alias or chain id of `shared/networks.ts`. */
export const networkSchema = z.string().transform((segment, context) => {
  const network = findNetwork(segment)
  if (network) return network
  context.addIssue({ code: 'custom', message: 'a name, alias or chain id of shared/networks.ts' })
  return z.NEVER
})

/** A setting with a value for each network, as JSON by name; a network without an entry has none. */
const byNetwork = <Value>(schema: z.ZodType<Value>) =>
  jsonTextSchema
    .pipe(z.partialRecord(z.enum(networkNames), schema))
    .transform((values) => new Map(Object.entries(values) as [NetworkName, Value][]))

const urlSchema = z.url({ protocol: /^https?$/ })

/** A setting with one URL for each network that is served. */
export const networkUrlsSchema = byNetwork(urlSchema)

/** One or several JSON-RPC nodes, separated by commas in the order of preference. */
export const nodeUrlsSchema = z
  .string()
  .refine(
    (text) => text.split(',').every((url) => urlSchema.safeParse(url.trim()).success),
    'an http or https URL, or several separated by commas',
  )

/** A setting with the nodes of each network that is served, for example `RPC_URLS={"sepolia":"http://127.0.0.1:8545"}`. */
export const networkNodesSchema = byNetwork(nodeUrlsSchema)

/** The setting `DATABASE_URL`; the database client requires user, password, host and database name. */
export const databaseUrlSchema = z
  .string()
  .regex(/^postgres(ql)?:\/\/[^:/]+:[^@/]+@[^/]+\/.+/, 'postgres://user:password@host/database, with a password')

/** A setting with the database of each network that has its own. */
export const networkDatabasesSchema = byNetwork(databaseUrlSchema)
