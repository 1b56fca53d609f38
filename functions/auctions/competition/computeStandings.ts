import type { Address } from 'viem'
import type { FailureKind } from './computeSuspension.ts'

/** A suspension that has not ended; `until` in Unix milliseconds. */
export type ActiveSuspension = { reason: FailureKind; until: number }

/**
 * `full`: takes part. `yields`: gives way on every pair that a solver with full standing trades. `returned`: the same, and
 * it may not win the orders that it failed. `out`: is not asked.
 */
export type Standing = 'full' | 'yields' | 'returned' | 'out'

/**
 * How each solver takes part in an auction. A solver whose suspension rests on reverts alone yields: orders of a stranger
 * can make any solver revert, so reverts must not empty an auction. One that was silent or paid less than promised is out.
 * When that leaves none, the solver whose suspension ends first returns, so the last solver is suspended only for the
 * orders that it failed.
 * @param solvers those that may settle
 * @param suspensions active ones
 */
export const computeStandings = (
  solvers: readonly Address[],
  suspensions: ReadonlyMap<Address, ActiveSuspension>,
): ReadonlyMap<Address, Standing> => {
  const toStanding = (solver: Address): Standing => {
    const suspension = suspensions.get(solver)
    if (!suspension) return 'full'
    return suspension.reason === 'reverted' ? 'yields' : 'out'
  }
  const standings = new Map(solvers.map((solver) => [solver, toStanding(solver)]))
  const out = solvers.filter((solver) => standings.get(solver) === 'out')
  if (out.length < solvers.length) return standings
  const untilOf = (solver: Address) => suspensions.get(solver)?.until ?? 0
  const [first] = out.sort((a, b) => untilOf(a) - untilOf(b))
  if (first) standings.set(first, 'returned')
  return standings
}
