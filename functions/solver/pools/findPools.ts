import { type Address, BaseError } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { takeTurn } from '../takeTurn.ts'
import { findConcentratedPools } from './findConcentratedPools.ts'
import { findConstantProductPools } from './findConstantProductPools.ts'
import { type Pool, type Pools, toPairKey } from './pool.ts'
import type { ReadAt } from './readAt.ts'

/** Maximum pairs to read: orders can contain any number of tokens. Half of them are those of most paths, half in turn. */
const maxPairs = 1_000

/**
 * Finds the pools along the paths. Uniswap V2 takes two sequential calls, V3 four if there are pools.
 * @param at state that is read, the same one for all pools; a block that the node does not have yet, because another
 *   node behind the same address was ahead, is replaced by its newest one
 * @param known cached pools by `toPairKey`; pools read here are added
 * @param turn see `takeTurn`
 * @throws viem errors when the node fails
 */
export const findPools = async (
  client: ChainClient,
  factories: { uniswapV2Factory: Address; uniswapV3Factory: Address },
  paths: Iterable<Address[]>,
  at: ReadAt = {},
  known: Map<string, readonly Pool[]> = new Map(),
  turn = 0,
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
  const ranked = [...pairs].filter(([key]) => !known.has(key)).toSorted(([, a], [, b]) => b.uses - a.uses)
  const half = maxPairs / 2
  const missing = [...ranked.slice(0, half), ...takeTurn(ranked.slice(half), turn, half)]
  if (missing.length === 0) return known
  const tokens = missing.map(([, pair]) => pair.tokens)
  const read = (state: ReadAt) =>
    Promise.all([
      findConstantProductPools(client, factories.uniswapV2Factory, tokens, state),
      findConcentratedPools(client, factories.uniswapV3Factory, tokens, state),
    ])
  const found = await read(at).catch((error: unknown) => {
    if (!('blockNumber' in at) || !isUnknownBlock(error)) throw error
    return read({})
  })
  const byPair = Map.groupBy<string, Pool>(found.flat(), ({ token0, token1 }) => toPairKey(token0, token1))
  for (const [key] of missing) known.set(key, byPair.get(key) ?? [])
  return known
}

/** texts of geth, Erigon, Reth, Nethermind, Besu and anvil */
const unknownBlock =
  /header not found|unknown block|block not found|header for hash not found|BlockOutOfRange|future block/i

const isUnknownBlock = (error: unknown): boolean => error instanceof BaseError && unknownBlock.test(error.details)
