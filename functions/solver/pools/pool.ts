import type { Address } from 'viem'

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
