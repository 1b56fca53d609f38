import createClient from 'openapi-fetch'
import type { paths } from './openapi.d.ts'

/** Longest time of a request; the API responds within half of it, a quote stream included. Milliseconds. */
const limitMs = 30_000

/** Client of the public API, typed by its OpenAPI document. The console sends every request except streams with it. */
export const client = createClient<paths, 'application/json'>({
  fetch: (request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(limitMs)]) }),
})
