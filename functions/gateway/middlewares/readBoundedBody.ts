import type { MiddlewareHandler } from 'hono'
import { ApiError } from '#shared/http/errors.ts'

/** The largest body limit of any route; most limits are lower. */
const maxBodyBytes = 256 * 1024
/**
 * A longer body is read and discarded up to this size, so that a client that is still sending receives the response.
 */
const maxReadBytes = 4 * 1024 * 1024
/** Deadline for the body; the longest one takes a fraction of it on a slow connection. */
const defaultMaxMs = 10_000

/**
 * Reads the whole body before any response. A response to a client that is still sending may never arrive, because the
 * connection is reset. Bodies of `GET` and `HEAD` are dropped.
 * @throws ApiError `PayloadTooLarge`, `RequestTimeout`
 */
export const readBoundedBody =
  (maxMs = defaultMaxMs): MiddlewareHandler =>
  async (c, next) => {
    const { raw } = c.req
    if (raw.body) {
      const body = await readBody(raw.body, maxMs)
      c.req.raw = raw.method === 'GET' || raw.method === 'HEAD' ? withoutBody(raw) : new Request(raw, { body })
    }
    await next()
  }

const withoutBody = ({ url, method, headers, signal }: Request): Request => {
  const bodyless = new Headers(headers)
  for (const name of ['Content-Length', 'Content-Type', 'Transfer-Encoding']) bodyless.delete(name)
  return new Request(url, { method, headers: bodyless, signal })
}

const readBody = async (body: ReadableStream<Uint8Array>, maxMs: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new ApiError('RequestTimeout', { data: { maxMs } })), maxMs)
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late.promise])
      if (done) break
      size += value.byteLength
      if (size > maxReadBytes) break
      if (size <= maxBodyBytes) chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
    reader.cancel().catch(() => undefined)
  }
  if (size > maxBodyBytes) throw new ApiError('PayloadTooLarge', { data: { maxBytes: maxBodyBytes } })
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
