import { z } from '@hono/zod-openapi'
import { ApiError } from '#shared/http/errors.ts'
import { fromSchemaError } from '#shared/http/toApiError.ts'
import type { SignedPart } from './checkSignature.ts'
import { deadlineSchema, nonceSchema, signatureSchema, signedChainSchema } from './signedPart.ts'

/** The scheme of the `Authorization` header, also in `WWW-Authenticate`. */
export const authorizationScheme = 'EIP712'

const numeric = z
  .string()
  .regex(/^\d{1,16}$/, 'decimal digits')
  .transform(Number)

const parametersSchema = z.object({
  chainId: numeric.pipe(signedChainSchema),
  nonce: nonceSchema,
  deadline: numeric.pipe(deadlineSchema),
  signature: signatureSchema,
})

/** The header as the OpenAPI document has it. */
export const authorizationHeaderSchema = z.object({
  authorization: z
    .string()
    .optional()
    .openapi({
      description:
        '`EIP712 chainId=…, nonce=…, deadline=…, signature=…`: the signature of a ManageSubscriptions message by the account',
      example: `EIP712 chainId=1, nonce=0x${'5e'.repeat(32)}, deadline=1795300000, signature=0x${'19'.repeat(65)}`,
    }),
})

/**
 * Reads `EIP712 chainId=…, nonce=…, deadline=…, signature=…`, in any order; values may be quoted (RFC 9110, 11.4).
 * @throws ApiError `Unauthorized` without such a header, `InvalidParameter` for a malformed parameter
 */
export const readAuthorization = (header: string | undefined): SignedPart => {
  const [, scheme, text] = /^\s*([^\s]+)\s+(.*)$/s.exec(header ?? '') ?? []
  if (scheme?.toUpperCase() !== authorizationScheme || text === undefined) {
    throw new ApiError('Unauthorized', {
      description: 'send `Authorization: EIP712 chainId=…, nonce=…, deadline=…, signature=…`',
    })
  }
  const given = Object.fromEntries(text.split(',').map(toParameter))
  const { data, error } = parametersSchema.safeParse(given)
  if (error) throw fromSchemaError(error, given)
  return data
}

const toParameter = (part: string): [string, string] => {
  const [name = '', value = ''] = part.split('=', 2)
  return [name.trim(), value.trim().replace(/^"(.*)"$/, '$1')]
}
