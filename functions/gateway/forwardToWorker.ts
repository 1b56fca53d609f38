import { ApiError } from '#shared/http/errors.ts'
import type { Network, NetworkName } from '#shared/networks.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { SharedGroup, SharedWorkers } from './connectSharedWorkers.ts'
import type { WorkerFetch, Workers } from './connectWorkers.ts'
import type { WorkerRoute } from './routeToWorker.ts'

/** Until an answer begins, longer than anything that a Worker waits for itself (docs/operations.md). A stream begins at once. */
export const workerDeadlineMs = 30_000

/**
 * Hands a request to the Worker of its route: method, headers, query and body as they came, the network segment removed.
 * @throws ApiError `NotFound` when the network is unknown or not deployed here, naming those that are;
 *   `ServiceUnavailable` when its Worker is missing, throws or is stuck
 */
export const forwardToWorker = async (workers: Workers, route: WorkerRoute, request: Request): Promise<Response> => {
  const deployed = findDeployed(workers, route.network)
  if (!deployed) {
    throw new ApiError('NotFound', {
      description: 'this network is not served here',
      data: { networks: Object.keys(workers) },
    })
  }
  const worker = deployed[route.group]
  const name = `${route.group}-${route.network?.name}`
  if (!worker) throw new ApiError('ServiceUnavailable', { context: { worker: name, cause: 'no service binding' } })
  const url = new URL(request.url)
  url.pathname = route.path
  return ask(name, worker, new Request(url, request))
}

/**
 * Hands a request as it is to a Worker that runs once for all networks.
 * @throws ApiError `ServiceUnavailable` when the Worker is missing, throws or is stuck
 */
export const forwardToSharedWorker = async (
  workers: SharedWorkers,
  group: SharedGroup,
  request: Request,
): Promise<Response> => {
  const worker = workers[group]
  if (!worker) throw new ApiError('ServiceUnavailable', { context: { worker: group, cause: 'no service binding' } })
  return ask(group, worker, request)
}

const ask = async (name: string, worker: WorkerFetch, request: Request): Promise<Response> => {
  try {
    return await withDeadline(worker(request), workerDeadlineMs)
  } catch (error) {
    throw new ApiError('ServiceUnavailable', { context: { worker: name, cause: String(error) } })
  }
}

const findDeployed = (workers: Workers, network: Network | undefined) => network && workers[network.name as NetworkName]
