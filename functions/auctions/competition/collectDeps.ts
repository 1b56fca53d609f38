import type { Address, Hex } from 'viem'
import type { ClockDeps } from '../clockDeps.ts'
import type { Standing } from '../settling/computeStandings.ts'
import type { SolveBases } from '../solvers/solveBodies.ts'

export type CollectSolutionsDeps = Pick<
  ClockDeps,
  'network' | 'solvers' | 'now' | 'log' | 'solveTimeMs' | 'jitOrderOwners' | 'background'
> & {
  bases: SolveBases
  /** solver accounts that the settlement contract accepts */
  findAllowed: () => Promise<ReadonlySet<Address>>
  /** finds which of these orders are stored */
  findListed: (uids: readonly Hex[]) => Promise<ReadonlySet<Hex>>
  /** a solver's participation */
  standingOf: (solver: Address) => Standing
  /** the rank of its solutions with these orders, see `ranks` */
  rankOf: (solver: Address, orders: readonly Hex[]) => number
  /** whether it receives an order of the auction and may win it */
  maySee: (solver: Address, order: Hex) => boolean
  /** human-readable reason of a suspension */
  describeStanding: (solver: Address) => string
}
