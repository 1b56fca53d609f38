import { type NetworkWorker, networkWorkers } from '#shared/api/routes.ts'
import { ApiError } from '#shared/http/errors.ts'
import { networkNames } from '#shared/networks.ts'
import type { SharedGroup, SharedWorkers } from '../routing/connectSharedWorkers.ts'
import type { WorkerFetch, Workers } from '../routing/connectWorkers.ts'
import { type OpenApiPart, openApiPartSchema } from './buildOpenApiDocument.ts'

/**
 * Requests the OpenAPI document of one Worker per group. All networks run the same code, so the first deployed one is
 * representative.
 * @throws ApiError `ServiceUnavailable` when no network is deployed, or a Worker fails
 */
export const findOpenApiParts = async (workers: Workers): Promise<Record<NetworkWorker, OpenApiPart>> => {
  const network = networkNames.find((name) => workers[name])
  if (!network) throw new ApiError('ServiceUnavailable', { context: { cause: 'no network is deployed' } })
  return requestParts(networkWorkers.map((group) => [group, `${group}-${network}`, workers[network]?.[group]]))
}

/**
 * Requests the OpenAPI documents of the deployed Workers that run once for all networks.
 * @throws ApiError `ServiceUnavailable` when one fails
 */
export const findSharedOpenApiParts = async (
  workers: SharedWorkers,
): Promise<Partial<Record<SharedGroup, OpenApiPart>>> =>
  requestParts((Object.keys(workers) as SharedGroup[]).map((group) => [group, group, workers[group]]))

const requestParts = async <Group extends string>(
  sources: readonly (readonly [Group, string, WorkerFetch | undefined])[],
): Promise<Record<Group, OpenApiPart>> => {
  const parts = await Promise.all(
    sources.map(async ([group, name, worker]) => [group, await requestPart(name, worker)]),
  )
  return Object.fromEntries(parts) as Record<Group, OpenApiPart>
}

const requestPart = async (name: string, worker: WorkerFetch | undefined): Promise<OpenApiPart> => {
  const response = await worker?.(new Request(`http://${name}/openapi.json`)).catch(() => undefined)
  const part = response?.ok ? openApiPartSchema.safeParse(await response.json()) : undefined
  if (part?.success) return part.data
  throw new ApiError('ServiceUnavailable', { context: { worker: name, cause: 'no OpenAPI document' } })
}
