import type { Address, Hex } from 'viem'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'
import type { Certainty } from './book/computeCertainty.ts'

/** What a holding (`toHoldingKey`) can pay beside the settlements that are running, atoms. */
export type SpendableFunds = { holding: string; spendable: bigint }

/** An auction: orders and prices fixed at a block. */
export type Auction = {
  id: number
  block: number
  orders: ReadonlyMap<Hex, Candidate['order']>
  /** these, and the orders that wait for the next block */
  solvable: ReadonlyMap<Hex, Candidate['order']>
  /** quotes of the orders, atoms */
  quotes: ReadonlyMap<Hex, NonNullable<Candidate['quote']>>
  /** wei per 10¹⁸ atoms */
  prices: ReadonlyMap<Address, bigint>
  /** tokens whose market has depth, so that their prices value trades */
  proven: ReadonlySet<Address>
  /** fee policies of each order, in the order of application */
  feePolicies: ReadonlyMap<Hex, readonly FeePolicy[]>
  /** classes of the orders; all others are certain */
  certainty: ReadonlyMap<Hex, Certainty>
  /** orders whose owners' funds are known: the holding that pays, and what it can still pay, sell token atoms */
  funds: ReadonlyMap<Hex, SpendableFunds>
  /** capabilities that orders need from drivers, see `computeRequiredFeatures` */
  required: ReadonlyMap<Hex, readonly SolverFeature[]>
  body: { orders: readonly ListedOrder[]; prices: Record<string, string> }
  /** fingerprint: equal for auctions that differ only in prices */
  content: string
}
