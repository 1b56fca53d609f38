import { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'

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

export const hashSchema = fixedBytesSchema(32, 'a 32-byte hash')

/** Order UID: digest (32 bytes), owner (20), validTo (4). */
export const orderUidSchema = fixedBytesSchema(56, 'an order UID')
