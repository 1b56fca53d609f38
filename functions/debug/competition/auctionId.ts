import { z } from '@hono/zod-openapi'

const maxUint64 = 2n ** 64n - 1n
const message = 'an auction id: a decimal unsigned 64-bit integer'

/** Auction id in a path: an unsigned 64-bit integer. Ids beyond the range of stored auctions parse to null. */
export const auctionIdSchema = z
  .string()
  .regex(/^\d{1,20}$/, { error: message, abort: true })
  .refine((text) => BigInt(text) <= maxUint64, message)
  .transform((text) => (BigInt(text) <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(text) : null))
  .openapi({ type: 'integer', minimum: 0, example: 42 })
