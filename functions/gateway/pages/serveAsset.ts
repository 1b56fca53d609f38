import type { Context, TypedResponse } from 'hono'
import { computeBodyEtag } from '#shared/http/computeBodyEtag.ts'
import { ApiError } from '#shared/http/errors.ts'
import { matchesEtag } from '#shared/http/matchesEtag.ts'
import type { FindAsset } from './connectAssets.ts'

/** The type that `openapi` expects of a response without a schema, of which 304 is one. */
export type FileResponse = Response & TypedResponse<Record<never, never>, 304, string>

/** Headers of a file of the deployed pages. */
type Treatment = {
  /** one of `cachePolicies` */
  cacheControl: string
  contentSecurityPolicy: string
  /** changes the text of the file; undefined: served as it is */
  fill?: ((text: string) => string) | undefined
}

/** Of every page and file. */
export const securityHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Serves a file of the deployed pages, or 304 when the client has it.
 * @param path of the file in the assets folder
 * @throws ApiError `NotFound`; `ServiceUnavailable` when no files are deployed, or reading fails
 */
export const serveAsset = async (
  c: Context,
  findAsset: FindAsset | undefined,
  path: string,
  { cacheControl, contentSecurityPolicy, fill }: Treatment,
): Promise<FileResponse> => {
  if (!findAsset) throw new ApiError('ServiceUnavailable', { context: { cause: 'no binding ASSETS' } })
  const file = await findAsset(path, c.req.raw)
  if (file.status === 404) throw new ApiError('NotFound', { data: { path: c.req.path } })
  if (file.status !== 200)
    throw new ApiError('ServiceUnavailable', { context: { cause: `ASSETS responded ${file.status}` } })
  const headers = new Headers(file.headers)
  headers.set('Cache-Control', cacheControl)
  headers.set('Content-Security-Policy', contentSecurityPolicy)
  for (const [name, value] of Object.entries(securityHeaders)) headers.set(name, value)
  const body = fill ? fill(await file.text()) : file.body
  if (typeof body === 'string') {
    headers.delete('Content-Length')
    headers.set('ETag', computeBodyEtag(body))
  }
  const etag = headers.get('ETag')
  if (etag === null || !matchesEtag(c.req.header('If-None-Match') ?? '', etag)) {
    return new Response(body, { headers }) as FileResponse
  }
  if (body === file.body) await file.body?.cancel()
  headers.delete('Content-Type')
  headers.delete('Content-Length')
  return new Response(null, { status: 304, headers }) as FileResponse
}
