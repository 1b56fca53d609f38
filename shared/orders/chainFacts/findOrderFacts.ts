import { SimulationError } from '../../chain/calls/simulateCalls.ts'
import type { ChainFacts } from '../verdict/verdictFacts.ts'
import { callForFacts } from './callForFacts.ts'
import type { OrderFactsDeps, OrderQuery } from './orderQuery.ts'
import { simulateForFacts } from './simulateForFacts.ts'

/**
 * Finds the on-chain facts of an order by simulation on the newest state: the settlement contract runs the order's
 * pre-interactions, then the owner's funds are read, the signature is checked, and the vault relayer transfers the sell
 * token. One round trip. A node that cannot simulate takes a second one: hooks then run before the signature check
 * only, called by another account, and transfers are skipped.
 * @throws SimulationError when the node fails or `signal` ends the wait
 */
export const findOrderFacts = async (
  deps: OrderFactsDeps,
  query: OrderQuery,
  signal: AbortSignal,
): Promise<ChainFacts> => {
  try {
    return await simulateForFacts(deps, query, signal)
  } catch (error) {
    if (!(error instanceof SimulationError) || signal.aborted) throw error
    const isPlain = query.preInteractions.length === 0
    if (error.reason === 'nodeCannotSimulate' || (error.isResponse && isPlain)) return callForFacts(deps, query, signal)
    throw error
  }
}
