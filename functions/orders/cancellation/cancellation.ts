import { z } from '@hono/zod-openapi'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { bytesSchema } from '#shared/validation/chainValues.ts'

const maxSignatureBytes = 256

/** Authorization of a cancellation: the signature of the owner of all orders, and its scheme. */
export const cancellationFields = {
  signature: bytesSchema(maxSignatureBytes).openapi({ description: '65 bytes r, s, v' }),
  signingScheme: z.enum(['eip712', 'ethsign'], { error: 'one of eip712, ethsign' }),
}

/** Responses of both cancellation routes. */
export const cancellationResponses = {
  200: {
    description: 'cancelled',
    content: { 'application/json': { schema: z.literal('Cancelled') } },
    headers: z.object({
      'X-Order-In-Flight': z
        .string()
        .optional()
        .openapi({
          description:
            'Orders that may still be settled, a structured field list (RFC 9651): the index of the order among ' +
            'the requested UIDs, from 0; `auction`, the id of its auction; `deadline`, the last block in ' +
            'which its winner may settle it, absent while the auction has no winners: solvers may still be working ' +
            'on it. Absent: none of the orders is in an auction.',
          example: '0;auction=4711;deadline=10283145, 3;auction=4712',
        }),
    }),
  },
  ...errorResponses(
    'InvalidParameter',
    'OrderNotFound',
    'OnChainOrder',
    'OrderFullyExecuted',
    'AlreadyCancelled',
    'OrderExpired',
    'InvalidSignature',
    'WrongOwner',
    'PayloadTooLarge',
    'UnsupportedMediaType',
    'InternalServerError',
    'ServiceUnavailable',
  ),
}
