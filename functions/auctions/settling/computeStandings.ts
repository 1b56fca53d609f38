import type { Address } from 'viem'
import type { Standing } from '../competition/rules.ts'
import type { FailureKind } from './judgeAttempts.ts'

/** A suspension that has not ended; `until` in Unix milliseconds. */
export type ActiveSuspension = { reason: FailureKind; until: number }

/**
 * Standing of each solver in an auction. A solver suspended only for reverts yields: hostile orders can make any solver
 * revert, so reverts must not empty an auction. A solver suspended for time-outs or short payments is out. A solver
 * with its maximum number of unsettled wins yields, too. If all solvers are out, the one whose suspension ends first
 * returns, so the last solver is suspended only for the orders that it failed.
 * @param solvers solvers that may settle
 * @param suspensions active suspensions
 * @param laden solvers with their maximum number of unsettled wins
 */
export const computeStandings = (
  solvers: readonly Address[],
  suspensions: ReadonlyMap<Address, ActiveSuspension>,
  laden: ReadonlySet<Address> = new Set(),
): ReadonlyMap<Address, Standing> => {
  const toStanding = (solver: Address): Standing => {
    const suspension = suspensions.get(solver)
    if (!suspension) return laden.has(solver) ? 'yields' : 'full'
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
