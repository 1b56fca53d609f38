import { isFetcher } from './connectWorkers.ts'

/** Finds a file of the deployed pages: 200, 304 when `If-None-Match` of the request has its ETag, or 404. */
export type FindAsset = (path: string, request: Request) => Promise<Response>

/** The binding `ASSETS`, which plain workerd does not have. */
export const connectAssets = (env: object): FindAsset | undefined => {
  const binding: unknown = (env as Record<string, unknown>).ASSETS
  if (!isFetcher(binding)) return undefined
  return (path, request) => {
    const condition = request.headers.get('If-None-Match')
    const headers = new Headers(condition === null ? [] : [['If-None-Match', condition]])
    return binding.fetch(new Request(new URL(path, request.url), { method: 'GET', headers }))
  }
}
