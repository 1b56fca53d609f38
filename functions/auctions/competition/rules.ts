import type { Address, Hex } from 'viem'

/** How much a solver may win while wins of it are unsettled. */
export type Allowance = {
  /** further score beside its unsettled wins, wei; one win is always allowed */
  score: bigint
  /** number of its unsettled wins */
  unsettled: number
}

/**
 * Participation of solvers in one auction; settling computes it. Distrust excludes a solver openly or limits what it
 * may have unsettled at once. It never changes the rank of a solution.
 */
export type Rules = {
  /** finds the solver accounts that the settlement contract accepts */
  findAllowed: () => Promise<ReadonlySet<Address>>
  /** why a solver is excluded or limited; undefined: it participates fully */
  exclusionOf: (solver: Address) => { kind: 'suspended' | 'yielded'; reason: string } | undefined
  /** whether it receives an order of the auction and may win it */
  maySee: (solver: Address, order: Hex) => boolean
  /** whether it recently failed the order, so that its solution comes after those of other solvers for this order */
  hasFailed: (solver: Address, order: Hex) => boolean
  /** whether the order waited for so long without a win that restrictions to protect others no longer hold */
  isOpen: (order: Hex) => boolean
  /** solvers without an entry have no limit */
  allowances: ReadonlyMap<Address, Allowance>
  /** number of blocks in which a solver must settle its wins */
  deadlineBlocksOf: (solver: Address) => number
}
