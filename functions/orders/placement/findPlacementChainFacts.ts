import { SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { toUnavailable } from '#shared/http/toUnavailable.ts'
import { findOrderFacts } from '#shared/orders/chainFacts/findOrderFacts.ts'
import type { OrderFactsDeps, OrderQuery } from '#shared/orders/chainFacts/orderQuery.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'

/**
 * Finds the on-chain facts of an order to place, within `timeoutMs`.
 * @throws ApiError `ServiceUnavailable` when the node fails or exceeds the time limit
 */
export const findPlacementChainFacts = async (
  { timeoutMs, ...deps }: OrderFactsDeps & { timeoutMs: number },
  query: OrderQuery,
): Promise<ChainFacts> => {
  try {
    return await findOrderFacts(deps, query, AbortSignal.timeout(timeoutMs))
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error
    throw toUnavailable('chain', error)
  }
}
