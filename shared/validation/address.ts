import { z } from '@hono/zod-openapi'
import type { Address } from 'viem'

/** A 20-byte address as `0x` and 40 hex digits of any case; comes out in lower case. */
export const addressSchema = z
  .string({ error: 'an address: 0x and 40 hex digits' })
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .transform((text) => text.toLowerCase() as Address)
  .openapi({ example: '0xfff9976782d46cc05630d1f6ebab18b2324d6b14' })
