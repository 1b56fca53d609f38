import { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { maxUint256 } from '../amounts/uint256.ts'
import type { ErrorType } from '../http/errorCatalogue.ts'

const amountMessage = 'an amount in atoms: a decimal integer string, no sign, point or exponent'

/**
 * A token amount in atoms: a decimal integer string below 2²⁵⁶; comes out as `bigint`.
 * @param overflow error type of a larger number
 */
export const amountSchema = (overflow: ErrorType = 'InvalidParameter') =>
  z
    .string({ error: amountMessage })
    .regex(/^\d+$/, amountMessage)
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

/** Bytes as `0x` and an even number of hex digits of any case, `maxBytes` at most; comes out in lower case. */
export const bytesSchema = (maxBytes: number) =>
  z
    .string({ error: `0x and an even number of hex digits, at most ${maxBytes} bytes` })
    .max(2 + 2 * maxBytes, `at most ${maxBytes} bytes`)
    .regex(/^0x([0-9a-fA-F]{2})*$/, '0x and an even number of hex digits')
    .transform((text) => text.toLowerCase() as Hex)

/** Exactly `length` bytes as `0x` hex of any case; comes out in lower case. */
const fixedBytesSchema = (length: number, name: string) => {
  const message = `${name}: 0x and ${2 * length} hex digits`
  return z
    .string({ error: message })
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * length}}$`), message)
    .transform((text) => text.toLowerCase() as Hex)
}

/** A 20-byte address as `0x` and 40 hex digits of any case; comes out in lower case. */
export const addressSchema = fixedBytesSchema(20, 'an address').openapi({
  example: '0xfff9976782d46cc05630d1f6ebab18b2324d6b14',
})

/** As `fixedBytesSchema`, in a request: clients of the public order book also send hashes and UIDs without `0x`. */
const fixedBytesInputSchema = (length: number, name: string) => {
  const message = `${name}: ${2 * length} hex digits, with or without 0x`
  return z
    .string({ error: message })
    .regex(new RegExp(`^(?:0x)?[0-9a-fA-F]{${2 * length}}$`), message)
    .transform((text): Hex => `0x${text.slice(-2 * length).toLowerCase()}`)
}

const hashExample = { example: `0x${'7a'.repeat(32)}` }
const orderUidExample = { example: `0x${'8f'.repeat(32)}f39fd6e51aad88f6f4ce6ab8827279cfffb922666b49d200` }

export const hashSchema = fixedBytesSchema(32, 'a 32-byte hash').openapi(hashExample)
export const hashInputSchema = fixedBytesInputSchema(32, 'a 32-byte hash').openapi(hashExample)

/** Order UID: digest (32 bytes), owner (20), validTo (4). */
export const orderUidSchema = fixedBytesSchema(56, 'an order UID').openapi(orderUidExample)
export const orderUidInputSchema = fixedBytesInputSchema(56, 'an order UID').openapi(orderUidExample)

const uint32Message = 'an integer from 0 to 4294967295'

/** A number of seconds, or a Unix time in seconds, as a uint32. */
export const uint32Schema = z
  .number({ error: uint32Message })
  .int(uint32Message)
  .min(0, uint32Message)
  .max(0xffffffff, uint32Message)
