import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import { read } from '../../api/read.ts'
import type { NetworkName } from '../../networks/NetworksProvider.tsx'

export type SolverCompetition = components['schemas']['SolverCompetition']

/** Competition of an auction. @throws ApiFailure */
export const loadCompetition = (network: NetworkName, id: number, signal: AbortSignal): Promise<SolverCompetition> =>
  read(
    client.GET('/{network}/api/v2/solver_competition/{auction_id}', {
      params: { path: { network, auction_id: id } },
      signal,
    }),
  )
