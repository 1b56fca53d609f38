import type { Address } from 'viem'
import type { Pools } from '../pools/pool.ts'

/** Facts of an auction that its orders share. */
export interface BatchMarket {
  pools: Pools
  /** routes between two tokens of orders, the native token as the wrapped one */
  buildPaths: (sellToken: Address, buyToken: Address) => Address[][]
  /** wei per gas unit */
  gasPrice: bigint
  /** gas units that cost as much as the data of a settlement; 0 on networks without a fee for data */
  dataGas: bigint
  /** auction prices, wei per 10^18 atoms */
  prices: ReadonlyMap<Address, bigint>
  wrappedNative: Address
  /** tokens in which the solver retains its fees, and their prices, wei per 10^18 atoms; it sells fees in others */
  feeTokens: ReadonlyMap<Address, bigint>
  /** owners' available funds, sell token atoms by `toOwnerTokenKey`; unbounded without an entry */
  funds: ReadonlyMap<string, bigint>
  /** millionths by which pools may move against a trade before it fails (`computeRoute`) */
  tolerance: bigint
}
