import type { Address, Hex } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { Network } from '#shared/networks.ts'
import { findPools } from '../pools/findPools.ts'
import type { ReadAt } from '../pools/readAt.ts'
import type { Strategy } from '../routing/buildPaths.ts'
import { listReadPaths, memoizePaths } from '../routing/memoizePaths.ts'
import type { SolutionDraft } from './buildDraft.ts'
import { buildSettlement } from './buildSettlement.ts'
import { repriceSolution } from './repriceSolution.ts'

export interface RepricingDeps {
  network: Network
  strategy: Strategy
  factory: Address
  baseTokens: readonly Address[]
  /** millionths that proposed amounts lay below the pools' exact ones */
  tolerance: bigint
}

/** A settlement for newer pools. */
export interface RepricedSettlement {
  calldata: Hex
  /** pools that it trades with */
  pools: Address[]
}

/** Part of the tolerance that pools may keep between the last read and the block of the settlement: quotes leave it out. */
export const toInclusionTolerance = (tolerance: bigint): bigint => tolerance / 2n

/**
 * Encodes a proposed solution for the pools as they are now (`repriceSolution`). Half of the tolerance remains for
 * changes until the settlement is mined.
 * @param at state of the pools: pending while earlier settlements of the account are in flight
 * @returns undefined when an order would get less than proposed
 * @throws viem errors when the node fails
 */
export const repriceSettlement = async (
  client: ChainClient,
  { network, strategy, factory, baseTokens, tolerance }: RepricingDeps,
  { auctionId, draft }: { auctionId: string; draft: SolutionDraft },
  at: ReadAt,
): Promise<RepricedSettlement | undefined> => {
  const buildPaths = memoizePaths(network.wrappedNative, strategy, baseTokens)
  const orders = draft.batches.flatMap(({ requests }) => requests.map(({ order }) => order))
  const paths = listReadPaths(orders, buildPaths, network.wrappedNative)
  const factories = { uniswapV2Factory: factory, uniswapV3Factory: network.uniswapV3.factory }
  const pools = await findPools(client, factories, paths, at)
  const market = { pools, buildPaths, tolerance: toInclusionTolerance(tolerance) }
  const solution = repriceSolution(draft, market, network.wrappedNative)
  return (
    solution && {
      calldata: buildSettlement(solution, BigInt(auctionId), network),
      pools: solution.batches.flatMap(({ route }) => route.hops.map(({ pool }) => pool.address)),
    }
  )
}
