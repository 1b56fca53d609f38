import type { MiddlewareHandler } from 'hono'
import { ApiError } from '#shared/http/errors.ts'

/** As much as any route behind the gateway takes; most take less. */
const maxBodyBytes = 256 * 1024
/** A longer body is read and thrown away up to here, so that a client which is still sending gets its answer. */
const maxReadBytes = 4 * 1024 * 1024
/** A body has to be there by then: the longest takes a slow line a fraction of it. */
const defaultMaxMs = 10_000

/**
 * Takes the whole body off the connection before anything is answered. An answer to a client that is still sending may never
 * reach it: the connection is reset instead, and the client learns nothing. `GET` and `HEAD` have no body that means anything.
 * @throws ApiError `PayloadTooLarge`, `RequestTimeout`
 */
export const takeBody =
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
  const kept = new Headers(headers)
  for (const name of ['Content-Length', 'Content-Type', 'Transfer-Encoding']) kept.delete(name)
  return new Request(url, { method, headers: kept, signal })
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
