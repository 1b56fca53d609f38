import { cachePolicies } from '#shared/http/cachePolicies.ts'

/** Reads of an order during one wait: bounds the work that a busy order causes. */
const maxReads = 20

/** Forwards a request to the Worker of its path. */
export type Forward = (request: Request) => Promise<Response>

/**
 * `GET /{network}/api/v1/orders/{uid}?wait=30`: waits for a change of the order. Each part of its event stream, of which
 * the first is its past, leads to a conditional read, so no change between read and stream is missed, and the stream's
 * bounds for each client hold for waits. Every read is checked by the order's own route.
 * @returns the order when it changed; after `wait` seconds the unchanged order, or 304 when the client named its ETag
 */
export const waitForOrder = async (forward: Forward, request: Request): Promise<Response> => {
  const waitMs = Number(new URL(request.url).searchParams.get('wait')) * 1_000
  const first = await bufferResponse(await forward(request))
  const etag = first.headers.get('ETag')
  const isUnchanged = first.status === (request.headers.has('If-None-Match') ? 304 : 200)
  const isLive = first.headers.get('Cache-Control') === cachePolicies.live
  if (!isUnchanged || !isLive || etag === null || waitMs === 0) return first
  const headers = new Headers(request.headers)
  headers.set('If-None-Match', etag)
  const changed = await findChange(forward, new Request(request, { headers }), waitMs)
  return changed ?? first
}

const findChange = async (forward: Forward, request: Request, waitMs: number): Promise<Response | undefined> => {
  const readChanged = async (): Promise<Response | undefined> => {
    const response = await forward(request)
    return response.status === 304 ? undefined : response
  }
  const stream = await forward(toStreamRequest(request))
  if (!stream.ok || !stream.body) return stream
  const reader = stream.body.getReader()
  const timer = Promise.withResolvers<undefined>()
  const timeout = setTimeout(() => timer.resolve(undefined), waitMs)
  try {
    for (let reads = 0; reads < maxReads; reads += 1) {
      const part = await Promise.race([reader.read(), timer.promise])
      const changed = await readChanged()
      if (changed || !part || part.done) return changed
    }
    return undefined
  } finally {
    clearTimeout(timeout)
    reader.cancel().catch(() => undefined)
  }
}

/** The event stream of the order, from its first event. */
const toStreamRequest = ({ url, headers, signal }: Request): Request => {
  const { origin, pathname } = new URL(url)
  const own = new Headers(headers)
  own.delete('If-None-Match')
  own.delete('Last-Event-ID')
  return new Request(`${origin}${pathname}/events`, { headers: own, signal })
}

/** Read whole, because it may be sent half a minute later. */
const bufferResponse = async (response: Response): Promise<Response> =>
  new Response(response.status === 304 ? null : await response.arrayBuffer(), response)
