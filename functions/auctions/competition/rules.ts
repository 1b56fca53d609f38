import type { Address, Hex } from 'viem'
import type { Allowance } from './pickDisjoint.ts'

/**
 * `full`: participates. `yields`: ranks last on every pair traded by a solver with full standing. `returned`: the same,
 * and it cannot win orders that it failed. `out`: receives no request.
 */
export type Standing = 'full' | 'yields' | 'returned' | 'out'

/** Participation of solvers in one auction; settling computes it. */
export type Rules = {
  /** finds the solver accounts that the settlement contract accepts */
  findAllowed: () => Promise<ReadonlySet<Address>>
  /** a solver's participation */
  standingOf: (solver: Address) => Standing
  /** the rank of its solutions with these orders, see `ranks` */
  rankOf: (solver: Address, orders: readonly Hex[]) => number
  /** whether it receives an order of the auction and may win it */
  maySee: (solver: Address, order: Hex) => boolean
  /** human-readable reason of a suspension */
  describeStanding: (solver: Address) => string
  allowances: ReadonlyMap<Address, Allowance>
  /** number of blocks in which a solver must settle its wins */
  deadlineBlocksOf: (solver: Address) => number
}
