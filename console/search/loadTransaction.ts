import { ApiFailure } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import type { SolverCompetition } from '../order/competition/loadCompetition.ts'
import type { Order } from '../order/loading/loadOrder.ts'

export type LoadedTransaction = {
  orders: Order[]
  /** null: its settlement belongs to no auction of this order book */
  competition: SolverCompetition | null
}

/** @throws ApiFailure, also for a transaction unknown on this network */
export const loadTransaction = async (
  network: NetworkName,
  hash: string,
  signal: AbortSignal,
): Promise<LoadedTransaction> => {
  const [orders, competition] = await Promise.all([
    read(client.GET('/{network}/api/v1/transactions/{hash}/orders', { params: { path: { network, hash } }, signal })),
    loadCompetition(network, hash, signal),
  ])
  if (orders.length === 0 && !competition) throw toUnknown()
  return { orders, competition }
}

const loadCompetition = (network: NetworkName, hash: string, signal: AbortSignal): Promise<SolverCompetition | null> =>
  read(
    client.GET('/{network}/api/v2/solver_competition/by_tx_hash/{tx_hash}', {
      params: { path: { network, tx_hash: hash } },
      signal,
    }),
  ).catch((thrown: unknown) => {
    if (thrown instanceof ApiFailure && thrown.facts.status === 404) return null
    throw thrown
  })

const toUnknown = (): ApiFailure =>
  new ApiFailure('no order was settled in this transaction', {
    status: 404,
    errorType: null,
    data: {},
    requestId: null,
  })
