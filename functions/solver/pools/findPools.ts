import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { findConcentratedPools } from './findConcentratedPools.ts'
import { findConstantProductPools } from './findConstantProductPools.ts'
import { type Pool, type Pools, toPairKey } from './pool.ts'

/** Pairs that are looked for, those of most paths first: strangers can list any number of tokens. */
const maxPairs = 1_000

/**
 * The pools along the paths. Those of Uniswap V2 take two calls of the chain one after the other, those of V3 four where
 * there are any. Nothing is kept for the next request.
 * @throws viem errors when the chain cannot be asked
 */
export const findPools = async (
  client: ChainClient,
  factories: { uniswapV2Factory: Address; uniswapV3Factory: Address },
  paths: Iterable<Address[]>,
): Promise<Pools> => {
  const pairs = new Map<string, { tokens: [Address, Address]; uses: number }>()
  for (const path of paths) {
    path.forEach((token, i) => {
      const next = path[i + 1]
      if (!next) return
      const key = toPairKey(token, next)
      const uses = (pairs.get(key)?.uses ?? 0) + 1
      pairs.set(key, { tokens: token < next ? [token, next] : [next, token], uses })
    })
  }
  if (pairs.size === 0) return new Map()
  const ranked = [...pairs.values()].toSorted((a, b) => b.uses - a.uses).slice(0, maxPairs)
  const tokens = ranked.map((pair) => pair.tokens)
  const found = await Promise.all([
    findConstantProductPools(client, factories.uniswapV2Factory, tokens),
    findConcentratedPools(client, factories.uniswapV3Factory, tokens),
  ])
  return Map.groupBy<string, Pool>(found.flat(), ({ token0, token1 }) => toPairKey(token0, token1))
}
