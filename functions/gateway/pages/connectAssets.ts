import { isFetcher } from '../routing/connectWorkers.ts'

/** Finds a file of the deployed pages: 200 or 404, ignoring conditional headers of the request. */
export type FindAsset = (path: string, request: Request) => Promise<Response>

/** The binding `ASSETS`, which plain workerd does not have. */
export const connectAssets = (env: object): FindAsset | undefined => {
  const binding: unknown = (env as Record<string, unknown>).ASSETS
  if (!isFetcher(binding)) return undefined
  return (path, request) => binding.fetch(new Request(new URL(path, request.url)))
}
