import { z } from '@hono/zod-openapi'
import { addressSchema } from '#shared/validation/chainValues.ts'

/** Metadata of a token; parts that the contract does not return are missing. */
export const tokenDetailsSchema = z
  .object({
    address: addressSchema,
    name: z.string().optional(),
    symbol: z.string().optional(),
    decimals: z.number().int().min(0).max(255).optional(),
  })
  .openapi('TokenDetails')
