import type { MiddlewareHandler } from 'hono'
import { ApiError } from '#shared/http/errors.ts'

/** Characters of path and query; the longest that a route needs are the 200 tokens of a stream of balances. */
const maxUrlLength = 16 * 1024
/** Characters of all names and values. */
const maxHeadersLength = 16 * 1024

/**
 * Refuses a URL or headers that no client of ours needs.
 * @throws ApiError `UriTooLong`, `HeadersTooLarge`
 */
export const boundRequest = (): MiddlewareHandler => async (c, next) => {
  const { url, headers } = c.req.raw
  if (url.length > maxUrlLength) {
    throw new ApiError('UriTooLong', { data: { maxLength: maxUrlLength, length: url.length } })
  }
  let length = 0
  for (const [name, value] of headers) length += name.length + value.length
  if (length > maxHeadersLength) {
    throw new ApiError('HeadersTooLarge', { data: { maxLength: maxHeadersLength, length } })
  }
  await next()
}
