import { z } from '@hono/zod-openapi'

/** An affiliate code: trimmed and in capitals, then five to twenty letters, digits, underscores and hyphens. */
export const affiliateCodeSchema = z
  .string({ error: 'a code of 5 to 20 letters, digits, _ and -' })
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9_-]{5,20}$/, 'a code of 5 to 20 letters, digits, _ and -')
  .openapi({ example: 'FRIENDS' })
