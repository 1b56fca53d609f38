import type { OpenAPIHono } from '@hono/zod-openapi'
import { clientKeyHeader } from '#shared/http/clientKeyHeader.ts'
import { withCors } from '../middlewares/setCors.ts'
import type { CacheKey } from './findCacheKey.ts'

/** Requests the response to cache from its route: complete, without anything that belongs to one client. */
export type LoadCanonical = (key: CacheKey, request: Request, requestId: string) => Promise<Response>

/** The client of responses that all clients share. */
const sharedClient = 'shared'

/** @param routes behind the limits, which count requests of clients alone */
export const loadCanonical =
  (routes: OpenAPIHono): LoadCanonical =>
  async ({ url }, request, requestId) => {
    const headers = { Accept: 'application/json', 'X-Request-Id': requestId, [clientKeyHeader]: sharedClient }
    return withCors(await routes.fetch(new Request(new URL(url, request.url), { headers })))
  }
