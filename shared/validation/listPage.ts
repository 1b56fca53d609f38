import { z } from '@hono/zod-openapi'

const maxItems = 100
const message = `an integer from 1 to ${maxItems}`

/** Query parameter `limit` of a list of the network. */
export const listLimitSchema = z
  .string()
  .default('20')
  .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= maxItems, message)
  .transform(Number)
  .openapi({ type: 'integer', minimum: 1, maximum: maxItems, default: 20, example: 5 })

const description = '`X-Next-Cursor` of the previous page'

/**
 * Query parameter `cursor` of a list, opaque to clients.
 * @param pattern form of a cursor
 */
export const cursorSchema = <T>(pattern: RegExp, parse: (text: string) => T) =>
  z
    .string()
    .regex(pattern, `the ${description} with the same filters`)
    .transform(parse)
    .optional()
    .openapi({ type: 'string', description })

/** Response headers of a list with cursors. */
export const nextPageHeaders = z.object({
  Link: z.string().optional().openapi({
    description: 'the next page with the same filters, `<?…&cursor=…>; rel="next"`; absent on the last one',
  }),
  'X-Next-Cursor': z.string().optional().openapi({ description: '`cursor` of the next page; absent on the last one' }),
})

/** @returns the headers of a page; none on the last one. The link has the query only: the gateway's path is different. */
export const toNextPageHeaders = (url: string, next: string | null): Record<string, string> => {
  if (next === null) return {}
  const query = new URL(url).searchParams
  query.set('cursor', next)
  return { Link: `<?${query}>; rel="next"`, 'X-Next-Cursor': next }
}
