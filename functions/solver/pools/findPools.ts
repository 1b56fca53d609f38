import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { findConcentratedPools } from './findConcentratedPools.ts'
import { findConstantProductPools } from './findConstantProductPools.ts'

/** A pool of Uniswap V2 and its reserves in atoms; `token0` has the lower address. */
export interface ConstantProductPool {
  kind: 'constantProduct'
  address: Address
  token0: Address
  token1: Address
  reserve0: bigint
  reserve1: bigint
}

/** A pool of Uniswap V3, as far as it is known around its price. Prices are √(token1 per token0) · 2^96. */
export interface ConcentratedPool {
  kind: 'concentrated'
  address: Address
  token0: Address
  token1: Address
  /** millionths of what is sold */
  fee: number
  tickSpacing: number
  sqrtPrice: bigint
  tick: number
  /** in range at `sqrtPrice` */
  liquidity: bigint
  /** initialised ticks → what crossing one upwards adds to the liquidity */
  ticks: ReadonlyMap<number, bigint>
  /** beyond these the pool has ticks that were not read */
  lowestTick: number
  highestTick: number
}

export type Pool = ConstantProductPool | ConcentratedPool

/** Pools by `toPairKey` of their tokens. */
export type Pools = ReadonlyMap<string, readonly Pool[]>

/** Names two tokens, whichever comes first. */
export const toPairKey = (a: Address, b: Address): string => (a < b ? `${a}${b.slice(2)}` : `${b}${a.slice(2)}`)

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
  const pairs = new Map<string, [Address, Address]>()
  for (const path of paths) {
    path.forEach((token, i) => {
      const next = path[i + 1]
      if (next) pairs.set(toPairKey(token, next), token < next ? [token, next] : [next, token])
    })
  }
  if (pairs.size === 0) return new Map()
  const tokens = [...pairs.values()]
  const found = await Promise.all([
    findConstantProductPools(client, factories.uniswapV2Factory, tokens),
    findConcentratedPools(client, factories.uniswapV3Factory, tokens),
  ])
  return Map.groupBy<string, Pool>(found.flat(), ({ token0, token1 }) => toPairKey(token0, token1))
}
