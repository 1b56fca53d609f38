import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { createBlockMemory } from '../../../functions/solver/pools/createBlockMemory.ts'
import { createBroadcastMemory } from '../../../functions/solver/sending/broadcast.ts'
import { connectSender } from '../../../functions/solver/sending/connectSender.ts'
import { createRetries } from '../../../functions/solver/settling/retries.ts'
import type { SubmissionDeps } from '../../../functions/solver/settling/submissionDeps.ts'
import { createTurns } from '../../../functions/solver/solutions/createTurns.ts'
import {
  type EncodedSolution,
  findSolutions,
  type SolvingDeps,
} from '../../../functions/solver/solutions/findSolutions.ts'
import { buildAuction, type SolverMarket } from './solverMarket.ts'

/** Dependencies of a search on the market's chain: all routes, without tolerance. */
export const buildSolvingDeps = (market: SolverMarket, changes: Partial<SolvingDeps> = {}): SolvingDeps => ({
  network: market.network,
  simulate: simulateCalls(market.rpcUrl),
  strategy: 'multihop',
  factory: market.network.uniswapV2Factory,
  baseTokens: [market.network.wrappedNative, market.network.usdReference.address],
  solver: market.solver.address,
  tolerance: 0n,
  memory: createBlockMemory(),
  turns: createTurns(),
  isSettling: () => Promise.resolve(false),
  ...changes,
})

/** The solutions of an auction, in the order in which they are found. */
export const solveAuction = async (
  market: SolverMarket,
  id: string,
  orders: AuctionOrder[],
  changes: Partial<SolvingDeps> = {},
  client = market.connect(),
): Promise<EncodedSolution[]> => {
  const solutions: EncodedSolution[] = []
  const deps = buildSolvingDeps(market, changes)
  const report = (solution: EncodedSolution) => solutions.push(solution)
  await findSolutions(client, deps, buildAuction(market, id, orders), Date.now(), report)
  return solutions
}

/** Dependencies of a queue of settlements on the market's chain, which reprices nothing. */
export const buildSubmissionDeps = (
  market: SolverMarket,
  store: SubmissionDeps['store'],
  changes: Partial<SubmissionDeps> = {},
): SubmissionDeps => ({
  store,
  client: connectSender(market.rpcUrl, market.network.chainId, market.solver),
  chainId: market.network.chainId,
  blockTimeSeconds: market.network.blockTimeSeconds,
  settlementContract: market.network.settlementContract,
  account: market.solver,
  memory: createBroadcastMemory(),
  retries: createRetries(),
  bumpBlocks: 0,
  cancellationFeeMultiple: 4n,
  reprice: () => Promise.resolve(undefined),
  onOutcome: () => undefined,
  onRevert: () => undefined,
  onHindrance: () => undefined,
  ...changes,
})
