import type { Pool } from '../pools/pool.ts'

/** gas of a settlement with one trade and no swap */
const settlementGas = 106_391n
/**
 * gas of one swap in a constant-product pool without a swap in the previous block, measured: 71,500 with the transfer
 * into the first pool, 56,500 after it; 10,000 of it store price accumulators, once per block
 */
export const hopGas = 72_000n
/** gas of one swap in a concentrated-liquidity pool through its router, measured, without ticks that it crosses */
const concentratedHopGas = 150_000n
/** gas of crossing an initialised tick for the first time, measured: 44,200; about half of it later */
export const crossedTickGas = 45_000n
/** upper estimate of the gas of each further strand of a route: its transfer and cold storage */
export const strandGas = 30_000n
/** gas of paying out the native token: unwrapping and sending */
const unwrapGas = 9_223n

/** Total gas of one swap in each pool or leg. */
export const computeSwapGas = (pools: readonly Pick<Pool, 'kind'>[]): bigint =>
  pools.reduce((sum, { kind }) => sum + (kind === 'concentrated' ? concentratedHopGas : hopGas), 0n)

/**
 * Gas of settling one order.
 * @param swapGas gas of its swaps
 * @param unwraps whether the order buys the native token
 */
export const computeGas = (swapGas: bigint, unwraps: boolean): bigint =>
  settlementGas + swapGas + (unwraps ? unwrapGas : 0n)
