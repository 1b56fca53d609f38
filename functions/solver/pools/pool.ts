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

/** A pool of Uniswap V3, known in a range around its price. Prices are √(token1 per token0) · 2^96. */
export interface ConcentratedPool {
  kind: 'concentrated'
  address: Address
  token0: Address
  token1: Address
  /** fee in millionths of the amount in */
  fee: number
  tickSpacing: number
  sqrtPrice: bigint
  tick: number
  /** active liquidity at `sqrtPrice` */
  liquidity: bigint
  /** initialised ticks → change of liquidity when crossed upwards */
  ticks: ReadonlyMap<number, bigint>
  /** bounds of the ticks that were read */
  lowestTick: number
  highestTick: number
}

/** ticks of one word of the bitmap of a concentrated pool: a swap also stops, and rounds, at the end of a word */
export const wordTicks = 256

export type Pool = ConstantProductPool | ConcentratedPool

/** Pools by `toPairKey` of their tokens. */
export type Pools = ReadonlyMap<string, readonly Pool[]>

/** Map key of an unordered pair of tokens. */
export const toPairKey = (a: Address, b: Address): string => (a < b ? `${a}${b.slice(2)}` : `${b}${a.slice(2)}`)
