import { client } from '../../api/client.ts'
import { read } from '../../api/read.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { ConditionalOrder } from './describeConditional.ts'

/** Each is one request more. */
const maxListed = 10

/** The newest conditional orders of an owner, or the one of a part, with their parts. @throws ApiFailure */
export const loadConditionalOrders = async (
  network: Network,
  of: { owner: string } | { orderUid: string },
  signal: AbortSignal,
): Promise<ConditionalOrder[]> => {
  const params = { path: { network: network.name }, query: { ...of, limit: maxListed } }
  const listed = await read(client.GET('/{network}/api/v1/conditional_orders', { params, signal }))
  return Promise.all(
    listed.map(({ owner, hash }) =>
      read(
        client.GET('/{network}/api/v1/conditional_orders/{owner}/{hash}', {
          params: { path: { network: network.name, owner, hash } },
          signal,
        }),
      ),
    ),
  )
}
