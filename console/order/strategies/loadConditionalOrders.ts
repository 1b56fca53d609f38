import { client } from '../../api/client.ts'
import { read } from '../../api/read.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { ConditionalOrder } from './describeConditional.ts'

/** Newest conditional orders of an account; each is one request more. */
const maxListed = 10

/** The newest conditional orders of an owner with their parts. @throws ApiFailure */
export const loadConditionalOrders = async (
  network: Network,
  owner: string,
  signal: AbortSignal,
): Promise<ConditionalOrder[]> => {
  const params = { path: { network: network.name }, query: { owner, limit: maxListed } }
  const listed = await read(client.GET('/{network}/api/v1/conditional_orders', { params, signal }))
  return Promise.all(
    listed.map(({ hash }) =>
      read(
        client.GET('/{network}/api/v1/conditional_orders/{owner}/{hash}', {
          params: { path: { network: network.name, owner, hash } },
          signal,
        }),
      ),
    ),
  )
}
