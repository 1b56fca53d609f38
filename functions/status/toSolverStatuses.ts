import type { CurrentStatus } from '#schema/queries/status/selectCurrentStatus.ts'
import type { RecentStatus } from '#schema/queries/status/selectRecentStatus.ts'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import type { SolverEntry } from '#shared/solvers/solverList.ts'

/** A solver of the settings. */
export type StatusSolver = Pick<SolverEntry, 'name' | 'address'>

/** Reasons why solvers cannot settle, by address. */
export type SolverFaults = ReadonlyMap<string, string>

type SolverStatus = NetworkStatus['solvers'][number]

/** Active solvers, then configured ones without activity, which have no row in `recent`. */
export const toSolverStatuses = (
  known: readonly StatusSolver[],
  { solvers, solvedAuctions }: RecentStatus,
  faults: SolverFaults,
  { suspensions, debts }: Pick<CurrentStatus, 'suspensions' | 'debts'>,
): SolverStatus[] => {
  const suspensionOf = new Map(suspensions.map(({ address, ...suspension }) => [address, suspension]))
  const nameOf = new Map(known.map(({ name, address }) => [address, name]))
  const active = new Set(solvers.map(({ address }) => address))
  const silent = known.filter(({ address }) => !active.has(address))
  return [...solvers, ...silent.map(({ address }) => ({ address, ...nothing }))].map((solver) => ({
    ...solver,
    name: nameOf.get(solver.address) ?? null,
    fault: faults.get(solver.address) ?? null,
    missedAuctions: solver.missedAuctions ?? solvedAuctions,
    debt: debts[solver.address] ?? '0',
    suspension: suspensionOf.get(solver.address) ?? null,
  }))
}

const nothing = {
  ...{ solutions: 0, wins: 0, attempts: 0, successes: 0, failures: 0 },
  ...{ lastSolutionAgeSeconds: null, missedAuctions: null },
}
