import { ApiFailure } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import type { components } from '../api/openapi.d.ts'
import { read } from '../api/read.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import type { SolverCompetition } from '../order/competition/loadCompetition.ts'
import type { Order } from '../order/loading/loadOrder.ts'

export type NetworkTrade = components['schemas']['NetworkTrade']

export type LoadedTransaction = {
  orders: Order[]
  /** null: its settlement belongs to no auction of this order book */
  competition: SolverCompetition | null
  /** executed in it; none of a settlement that belongs to no auction */
  trades: NetworkTrade[]
}

/** More than the gas of one transaction is enough for. */
const maxTrades = 100

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
  const block = competition?.solutions.find(({ txHash }) => txHash === hash)?.settlement?.block
  const trades = block === undefined ? [] : await loadTrades(network, block, signal)
  return { orders, competition, trades: trades.filter(({ txHash }) => txHash === hash) }
}

/** Trades of a block, and earlier ones up to the limit. */
const loadTrades = (network: NetworkName, block: number, signal: AbortSignal): Promise<NetworkTrade[]> => {
  const query = { cursor: `${block + 1}-0`, limit: maxTrades }
  return read(client.GET('/{network}/api/v1/explorer/trades', { params: { path: { network }, query }, signal }))
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
