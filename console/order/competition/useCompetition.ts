import { useEffect } from 'preact/hooks'
import { read } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import { type Answer, useAnswer } from '../../api/useAnswer.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { SolverCompetition } from './rankSolutions.ts'

/**
 * Competition of an auction.
 * @param auctionId null: no request
 * @param version loads again when this changes
 */
export const useCompetition = (
  network: Network,
  auctionId: number | null,
  version: number,
): Answer<SolverCompetition> => {
  const key = auctionId === null ? null : `competition ${network.name} ${auctionId}`
  const answer = useAnswer(key, (signal) =>
    read(
      client.GET('/{network}/api/v2/solver_competition/{auction_id}', {
        params: { path: { network: network.name, auction_id: auctionId ?? 0 } },
        signal,
      }),
    ),
  )
  const { reload, data, failure } = answer
  const isAsked = data !== undefined || failure !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first answer is no reason to look again
  useEffect(() => {
    if (isAsked) reload()
  }, [version, reload])
  return answer
}
