import type { Address, Hex } from 'viem'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'

/** An auction: orders and prices fixed at a block. */
export type Auction = {
  id: number
  block: number
  orders: ReadonlyMap<Hex, Candidate['order']>
  /** these, and the orders on pairs that wait for the next block */
  solvable: ReadonlyMap<Hex, Candidate['order']>
  /** quotes of the orders, atoms */
  quotes: ReadonlyMap<Hex, NonNullable<Candidate['quote']>>
  /** wei per 10¹⁸ atoms */
  prices: ReadonlyMap<Address, bigint>
  /** fee policies of each order, in the order of application */
  feePolicies: ReadonlyMap<Hex, readonly FeePolicy[]>
  /** orders that must be settled alone, and the number of their failed settlements */
  alone: ReadonlyMap<Hex, number>
  /** capabilities that orders need from drivers: wrappers or a flash loan */
  required: ReadonlyMap<Hex, readonly SolverFeature[]>
  body: { orders: readonly ListedOrder[]; prices: Record<string, string> }
  /** fingerprint: equal for auctions that differ only in prices */
  content: string
}
