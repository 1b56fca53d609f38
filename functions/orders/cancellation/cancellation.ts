import { z } from '@hono/zod-openapi'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { bytesSchema } from '#shared/validation/hex.ts'

const maxSignatureBytes = 256

/** Who cancels: the signature of the owner of all the orders, and how it was made. */
export const cancellationFields = {
  signature: bytesSchema(maxSignatureBytes).openapi({ description: '65 bytes r, s, v' }),
  signingScheme: z.enum(['eip712', 'ethsign'], { error: 'one of eip712, ethsign' }),
}

/** Answers of both cancellation routes. */
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
            'Orders that may be settled all the same, a structured field list (RFC 9651): the place of the order among ' +
            'the UIDs asked for, from 0; `auction`, the id of the auction that has it; `deadline`, the last block in ' +
            'which its winner may settle it, left out as long as the auction has no winners: solvers may still be at ' +
            'work on it. Absent: no auction has any of the orders.',
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
