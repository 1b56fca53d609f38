import { z } from '@hono/zod-openapi'

const rule = 'a code of 5 to 20 ASCII letters, digits, _ and -'
const maxLength = 64

/** A code in capitals, the form in which codes are stored and compared. */
export const normalizeAffiliateCode = (text: string): string => text.trim().toUpperCase()

/**
 * An affiliate code as sent by a client: in any case, with surrounding blanks. Only ASCII letters, because some others become
 * ASCII letters in capitals (ß → SS, ı → I).
 */
export const affiliateCodeTextSchema = z
  .string({ error: rule })
  .max(maxLength, rule)
  .regex(/^[ \t\r\n]*[A-Za-z0-9_-]{5,20}[ \t\r\n]*$/, rule)
  .openapi({ example: 'FRIENDS' })

/** An affiliate code, trimmed and in capitals. */
export const affiliateCodeSchema = affiliateCodeTextSchema.trim().toUpperCase()
