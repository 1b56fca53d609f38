import { z } from 'zod'
import { type NetworkName, networkNames } from '../networks.ts'
import { jsonTextSchema } from './jsonText.ts'

/**
 * A setting with one URL for each network that is served, for example `RPC_URLS={"sepolia":"http://127.0.0.1:8545"}`.
 * A network without an entry is not served.
 */
export const networkUrlsSchema = jsonTextSchema
  .pipe(z.partialRecord(z.enum(networkNames), z.url({ protocol: /^https?$/ })))
  .transform((urls) => new Map(Object.entries(urls) as [NetworkName, string][]))
