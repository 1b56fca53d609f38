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
): Promise<ChainFacts> =>
  (await orNothing(query, signal, () => simulateForFacts(deps, query, signal))) ?? callForFacts(deps, query, signal)

/**
 * `findOrderFacts` in the two blocks that can contain the settlement first, with the first hook that reverts in each: contracts
 * may decide by the block.
 * @returns `after`: facts in the second block; undefined for a node that cannot simulate
 * @throws SimulationError
 */
export const findFactsOfTwoBlocks = async (
  deps: OrderFactsDeps,
  query: OrderQuery,
  signal: AbortSignal,
): Promise<{ facts: ChainFacts; after: ChainFacts | undefined }> => {
  const places = [undefined, 'later'] as const
  const simulateBoth = () =>
    Promise.all(places.map((place) => simulateForFacts(deps, query, signal, { place, explainsHooks: true })))
  const [facts, after] = (await orNothing(query, signal, simulateBoth)) ?? []
  return { facts: facts ?? (await callForFacts(deps, query, signal)), after }
}

/** @returns undefined when the facts have to be found by calls */
const orNothing = async <T>(
  { preInteractions }: OrderQuery,
  signal: AbortSignal,
  simulate: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await simulate()
  } catch (error) {
    if (!(error instanceof SimulationError) || signal.aborted) throw error
    const isPlain = preInteractions.length === 0
    if (error.reason === 'nodeCannotSimulate' || (error.isResponse && isPlain)) return undefined
    throw error
  }
}
