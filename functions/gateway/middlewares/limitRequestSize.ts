import type { MiddlewareHandler } from 'hono'
import { ApiError } from '#shared/http/errors.ts'

/** Characters of path and query; a balance stream with 200 tokens needs the most. */
const maxUrlLength = 16 * 1024
/** Characters of all header names and values. */
const maxHeadersLength = 16 * 1024

/**
 * Rejects URLs and headers that are longer than any route needs.
 * @throws ApiError `UriTooLong`, `HeadersTooLarge`
 */
export const limitRequestSize = (): MiddlewareHandler => async (c, next) => {
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
