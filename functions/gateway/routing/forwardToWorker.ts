import type { NetworkWorker, SharedWorker } from '#shared/api/routes.ts'
import { ApiError } from '#shared/http/errors.ts'
import { findNetwork, type Network, type NetworkName } from '#shared/networks.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { SharedWorkers } from './connectSharedWorkers.ts'
import type { WorkerFetch, Workers } from './connectWorkers.ts'

/** Until a response starts; longer than any timeout inside a Worker (docs/operations.md). Streams start at once. */
export const workerDeadlineMs = 30_000

/**
 * Forwards a request to a Worker of the network in its path: method, headers, query and body unchanged, the network
 * segment removed.
 * @throws ApiError `NotFound` with the deployed networks when the network is unknown or not deployed;
 *   `ServiceUnavailable` when its Worker is missing, throws or exceeds the deadline
 */
export const forwardToWorker = async (workers: Workers, group: NetworkWorker, request: Request): Promise<Response> => {
  const url = new URL(request.url)
  const slash = url.pathname.indexOf('/', 1)
  const network = findNetwork(url.pathname.slice(1, slash))
  const deployed = findDeployed(workers, network)
  if (!deployed) {
    throw new ApiError('NotFound', {
      description: 'this network is not served here',
      data: { networks: Object.keys(workers) },
    })
  }
  const worker = deployed[group]
  const name = `${group}-${network?.name}`
  if (!worker) throw new ApiError('ServiceUnavailable', { context: { worker: name, cause: 'no service binding' } })
  url.pathname = url.pathname.slice(slash)
  return requestWorker(name, worker, new Request(url, request))
}

/**
 * Forwards a request unchanged to a Worker that runs once for all networks.
 * @throws ApiError `ServiceUnavailable` when the Worker is missing, throws or exceeds the deadline
 */
export const forwardToSharedWorker = async (
  workers: SharedWorkers,
  group: SharedWorker,
  request: Request,
): Promise<Response> => {
  const worker = workers[group]
  if (!worker) throw new ApiError('ServiceUnavailable', { context: { worker: group, cause: 'no service binding' } })
  return requestWorker(group, worker, request)
}

const requestWorker = async (name: string, worker: WorkerFetch, request: Request): Promise<Response> => {
  try {
    return await withDeadline(worker(request), workerDeadlineMs)
  } catch (error) {
    throw new ApiError('ServiceUnavailable', { context: { worker: name, cause: String(error) } })
  }
}

const findDeployed = (workers: Workers, network: Network | undefined) => network && workers[network.name as NetworkName]
