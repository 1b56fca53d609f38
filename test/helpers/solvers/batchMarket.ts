import type { Address } from 'viem'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { BatchMarket } from '../../../functions/solver/batches/batchMarket.ts'
import { type ConstantProductPool, toPairKey } from '../../../functions/solver/pools/pool.ts'
import { buildPaths } from '../../../functions/solver/routing/buildPaths.ts'
import { auctionOrder } from '../orders/auctionOrder.ts'

export const tokenOf = (digit: string): Address => `0x${digit.repeat(40)}`
export const [tokenA, tokenB, tokenC, tokenD] = [tokenOf('a'), tokenOf('b'), tokenOf('c'), tokenOf('d')]

/** An entry of pools: the constant-product pool of two tokens in any order, whose address follows from theirs. */
export const poolOf = (
  first: Address,
  second: Address,
  reserveOfFirst: bigint,
  reserveOfSecond: bigint,
): [string, ConstantProductPool[]] => {
  const key = toPairKey(first, second)
  const address: Address = `0x${key.slice(2, 22)}${key.slice(42, 62)}`
  const [token0, token1, reserve0, reserve1] =
    first < second
      ? ([first, second, reserveOfFirst, reserveOfSecond] as const)
      : ([second, first, reserveOfSecond, reserveOfFirst] as const)
  return [key, [{ kind: 'constantProduct', address, token0, token1, reserve0, reserve1 }]]
}

/** A market with direct routes and fees in any token, in which an atom of each token is worth 10^6 wei: a gas unit costs a thousand wei. */
export const batchMarketOf = (pools: BatchMarket['pools'], changes: Partial<BatchMarket> = {}): BatchMarket => ({
  pools,
  buildPaths: (sellToken, buyToken) => buildPaths(sellToken, buyToken, 'direct', []),
  gasPrice: 1_000n,
  dataGas: 0n,
  prices: new Map([tokenA, tokenB, tokenC, tokenD].map((address) => [address, 10n ** 24n])),
  wrappedNative: tokenB,
  feeTokens: new Map([tokenA, tokenB, tokenC, tokenD].map((address) => [address, 10n ** 24n])),
  funds: new Map(),
  tolerance: 0n,
  ...changes,
})

let uids = 0

/** An order with a UID of its own: by default a million atoms of the first token for the second one. */
export const batchOrder = (changes: Partial<AuctionOrder> = {}): AuctionOrder => {
  uids += 1
  const uid = `0x${uids.toString(16).padStart(112, '0')}` as const
  return { ...auctionOrder, uid, sellToken: tokenA, buyToken: tokenB, sellAmount: 1_000_000n, ...changes }
}
