import { z } from '@hono/zod-openapi'
import { bytesSchema, hashSchema } from '#shared/validation/hex.ts'
import { uint32Schema } from '#shared/validation/uint32.ts'

/** Room for the deployment that an ERC-6492 signature carries. */
const maxSignatureBytes = 7_000

export const signedChainSchema = z
  .number({ error: 'a chain id' })
  .int('a chain id')
  .positive('a chain id')
  .openapi({ description: "of the message's domain; a contract is asked there whether it signed", example: 1 })

export const nonceSchema = hashSchema.openapi({
  description: '32 random bytes; each works once, except in a list',
  example: `0x${'5e'.repeat(32)}`,
})

export const deadlineSchema = uint32Schema.openapi({
  description: 'Unix seconds, an hour ahead at most, a day in a list',
  example: 1_795_300_000,
})

export const signatureSchema = bytesSchema(maxSignatureBytes).openapi({
  description: 'of the account: by its key, ERC-1271 or ERC-6492',
  example: `0x${'19'.repeat(65)}`,
})
