import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import { read } from '../../api/read.ts'
import { type RequestState, useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { useOnChange } from '../../ui/useOnChange.ts'

/**
 * Competition of an auction.
 * @param auctionId null: no request
 * @param version loads again when this changes
 */
export const useCompetition = (
  network: Network,
  auctionId: number | null,
  version: number,
): RequestState<SolverCompetition> => {
  const key = auctionId === null ? null : `competition ${network.name} ${auctionId}`
  const result = useRequest(key, (signal) =>
    read(
      client.GET('/{network}/api/v2/solver_competition/{auction_id}', {
        params: { path: { network: network.name, auction_id: auctionId ?? 0 } },
        signal,
      }),
    ),
  )
  const { reload, data, failure } = result
  const isLoaded = data !== undefined || failure !== null
  // the first response must not cause a reload
  useOnChange(() => {
    if (isLoaded) reload()
  }, [version, reload])
  return result
}

export type SolverCompetition = components['schemas']['SolverCompetition']
