import { z } from '@hono/zod-openapi'
import { maxUint256 } from '../amounts/uint256.ts'
import type { ErrorType } from '../http/errors.ts'

const message = 'an amount in atoms: a decimal integer string, no sign, point or exponent'

/**
 * A token amount in atoms: a decimal integer string below 2²⁵⁶; comes out as `bigint`.
 * @param overflow error type of a larger number
 */
export const amountSchema = (overflow: ErrorType = 'InvalidParameter') =>
  z
    .string({ error: message })
    .regex(/^\d+$/, message)
    .transform((text, context) => {
      const digits = text.replace(/^0+(?=\d)/, '')
      if (digits.length <= 78) {
        const amount = BigInt(digits)
        if (amount <= maxUint256) return amount
      }
      context.addIssue({ code: 'custom', message: 'at most 2^256 - 1', params: { errorType: overflow } })
      return z.NEVER
    })
    .openapi({ example: '1000000000000000000' })

/** An amount in a response: a decimal string of atoms. */
export const amountTextSchema = z.string().regex(/^\d+$/).openapi({ example: '1000000000000000000' })
