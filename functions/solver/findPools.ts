import { type Address, zeroAddress } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { uniswapV2Abi } from '#shared/chain/uniswapV2Abi.ts'

/** A constant-product pool and its reserves in atoms; `token0` has the lower address. */
export interface Pool {
  address: Address
  token0: Address
  token1: Address
  reserve0: bigint
  reserve1: bigint
}

/** Pools by `toPairKey` of their tokens. */
export type Pools = ReadonlyMap<string, Pool>

/** Names the pool of two tokens, whichever comes first. */
export const toPairKey = (a: Address, b: Address): string => (a < b ? `${a}${b.slice(2)}` : `${b}${a.slice(2)}`)

/** bytes of calldata per `eth_call`: about a thousand `getPair`, some millions of gas, below every node's limit */
const multicallBytes = 68_000

/**
 * The pools along the paths, in two steps of one multicall each: addresses from the factory, then reserves. All
 * reserves come from one block unless there are so many that a step is split; nothing is kept for the next request.
 * @param factory a Uniswap V2 factory; a pair it does not know has no entry in the answer
 * @throws viem errors when the chain cannot be asked
 */
export const findPools = async (client: ChainClient, factory: Address, paths: Iterable<Address[]>): Promise<Pools> => {
  const pairs = new Map<string, [Address, Address]>()
  for (const path of paths) {
    path.forEach((token, i) => {
      const next = path[i + 1]
      if (next) pairs.set(toPairKey(token, next), token < next ? [token, next] : [next, token])
    })
  }
  if (pairs.size === 0) return new Map()
  const tokens = [...pairs.values()]
  const addresses = await client.multicall({
    contracts: tokens.map((args) => ({ address: factory, abi: uniswapV2Abi, functionName: 'getPair', args }) as const),
    allowFailure: false,
    batchSize: multicallBytes,
  })
  const known = tokens.flatMap(([token0, token1], i) => {
    const address = addresses[i]
    if (!address || address === zeroAddress) return []
    return [{ address: address.toLowerCase() as Address, token0, token1 }]
  })
  if (known.length === 0) return new Map()
  const reserves = await client.multicall({
    contracts: known.map(({ address }) => ({ address, abi: uniswapV2Abi, functionName: 'getReserves' }) as const),
    allowFailure: false,
    batchSize: multicallBytes,
  })
  return new Map(
    known.flatMap((pool, i) => {
      const [reserve0, reserve1] = reserves[i] ?? [0n, 0n]
      return [[toPairKey(pool.token0, pool.token1), { ...pool, reserve0, reserve1 }]]
    }),
  )
}
