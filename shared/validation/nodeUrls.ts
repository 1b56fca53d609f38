import { z } from 'zod'
import { type NetworkName, networkNames } from '../networks.ts'
import { jsonTextSchema } from './jsonText.ts'

/** One or several JSON-RPC nodes, separated by commas in the order of preference. */
export const nodeUrlsSchema = z
  .string()
  .refine(
    (text) => text.split(',').every((url) => z.url({ protocol: /^https?$/ }).safeParse(url.trim()).success),
    'an http or https URL, or several separated by commas',
  )

/** A setting with the nodes of each network that is served. A network without an entry is not served. */
export const networkNodesSchema = jsonTextSchema
  .pipe(z.partialRecord(z.enum(networkNames), nodeUrlsSchema))
  .transform((urls) => new Map(Object.entries(urls) as [NetworkName, string][]))
