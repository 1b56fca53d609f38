import { type RequestState, useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { useOnChange } from '../../ui/useOnChange.ts'
import { loadCompetition, type SolverCompetition } from './loadCompetition.ts'

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
  const result = useRequest(key, (signal) => loadCompetition(network.name, auctionId ?? 0, signal))
  const { reload, data, failure } = result
  const isLoaded = data !== undefined || failure !== null
  // the first response must not cause a reload
  useOnChange(() => {
    if (isLoaded) reload()
  }, [version, reload])
  return result
}
