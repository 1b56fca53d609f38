import { ApiError } from '#shared/http/errors.ts'
import { type NetworkName, networkNames } from '#shared/networks.ts'
import { type OpenApiPart, openApiPartSchema } from './buildOpenApiDocument.ts'
import type { Workers } from './connectWorkers.ts'
import { type RoutedGroup, routedGroups } from './routeToWorker.ts'

/**
 * Asks one Worker of each group which routes it has. All networks run the same code, so the first deployed one speaks
 * for all.
 * @throws ApiError `ServiceUnavailable` when there is no network, or a Worker cannot say
 */
export const findOpenApiParts = async (workers: Workers): Promise<Record<RoutedGroup, OpenApiPart>> => {
  const network = networkNames.find((name) => workers[name])
  if (!network) throw new ApiError('ServiceUnavailable', { context: { cause: 'no network is deployed' } })
  const parts = await Promise.all(
    routedGroups.map(async (group) => [group, await askWorker(workers, network, group)] as const),
  )
  return Object.fromEntries(parts) as Record<RoutedGroup, OpenApiPart>
}

const askWorker = async (workers: Workers, network: NetworkName, group: RoutedGroup): Promise<OpenApiPart> => {
  const name = `${group}-${network}`
  const response = await workers[network]?.[group]?.(new Request(`http://${name}/openapi.json`)).catch(() => undefined)
  const part = response?.ok ? openApiPartSchema.safeParse(await response.json()) : undefined
  if (part?.success) return part.data
  throw new ApiError('ServiceUnavailable', { context: { worker: name, cause: 'it does not describe its routes' } })
}
