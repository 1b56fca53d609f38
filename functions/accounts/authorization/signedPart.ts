import { z } from '@hono/zod-openapi'
import { bytesSchema, hashSchema, uint32Schema } from '#shared/validation/chainValues.ts'

/** Room for the deployment data of an ERC-6492 signature. */
const maxSignatureBytes = 7_000

export const signedChainSchema = z
  .number({ error: 'a chain id' })
  .int('a chain id')
  .positive('a chain id')
  .openapi({ description: "chain id of the message's domain, where contract signatures are verified", example: 1 })

export const nonceSchema = hashSchema.openapi({
  description: '32 random bytes; single use, except for `list`',
  example: `0x${'5e'.repeat(32)}`,
})

export const deadlineSchema = uint32Schema.openapi({
  description: 'Unix seconds, at most an hour ahead, a day for `list`',
  example: 1_795_300_000,
})

export const signatureSchema = bytesSchema(maxSignatureBytes).openapi({
  description: 'signature of the account: ECDSA, ERC-1271 or ERC-6492',
  example: `0x${'19'.repeat(65)}`,
})
