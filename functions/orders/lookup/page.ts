import { z } from '@hono/zod-openapi'
import type { ErrorType } from '#shared/http/errorCatalogue.ts'

/** Largest `offset` of a list; the cursor of a page leads further at a constant cost. */
export const maxOffset = 10_000

const maxLimit = 1_000
const defaultLimit = '10'

const countSchema = z
  .string({ error: 'a non-negative integer' })
  .regex(/^\d{1,15}$/, 'a non-negative integer')
  .transform(Number)

const offsetSchema = z
  .string()
  .default('0')
  .pipe(countSchema)
  .refine((offset) => offset <= maxOffset, `at most ${maxOffset}`)
  .openapi({ type: 'integer', minimum: 0, maximum: maxOffset, default: 0 })

/**
 * Query parameters `offset` and `limit` of a list.
 * @param outOfBounds error type for a limit outside 1..1000
 */
export const pageFields = (outOfBounds: ErrorType) => ({
  offset: offsetSchema,
  limit: z
    .string()
    .default(defaultLimit)
    .pipe(countSchema)
    .refine((limit) => limit >= 1 && limit <= maxLimit, {
      message: `from 1 to ${maxLimit}`,
      params: { errorType: outOfBounds },
    })
    .openapi({ type: 'integer', minimum: 1, maximum: maxLimit, default: Number(defaultLimit) }),
})
