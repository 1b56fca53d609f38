import { connectChain } from '#shared/chain/connectChain.ts'
import { findPools } from '../../../functions/solver/pools/findPools.ts'
import type { Pools } from '../../../functions/solver/pools/pool.ts'
import { buildLegs } from '../../../functions/solver/routing/buildLegs.ts'
import { buildPaths } from '../../../functions/solver/routing/buildPaths.ts'
import { listStrandsAlong } from '../../../functions/solver/splitting/listSplits.ts'
import type { StackInfo } from '../../stack/stackInfo.ts'
import { computeOptimum } from './computeOptimum.ts'
import type { OutcomeDeps } from './readOutcome.ts'

/** Creates a function that computes the most that the pools of a local chain gave for an amount after a block. */
export const createOptimumFinder = ({ rpcUrl, chainId, contracts, tokens }: StackInfo): OutcomeDeps['findOptimum'] => {
  const client = connectChain(rpcUrl, chainId)
  const { uniswapV2Factory, uniswapV3Factory } = contracts
  const listed = Object.values(tokens).map(({ address }) => address)
  const poolsOf = new Map<number, Promise<Pools>>()
  return async ({ sellToken, buyToken, amount }, block) => {
    const known = poolsOf.get(block)
    const pairs = listed.flatMap((a) => listed.filter((b) => b > a).map((b) => [a, b]))
    const reading =
      known ?? findPools(client, { uniswapV2Factory, uniswapV3Factory }, pairs, { blockNumber: BigInt(block) })
    poolsOf.set(block, reading)
    const pools = await reading
    const ways = buildPaths(sellToken, buyToken, 'multihop', listed).flatMap((path) => buildLegs(pools, path))
    return computeOptimum(
      listStrandsAlong(ways).map(({ legs }) => legs),
      amount,
    )
  }
}
