import type { Address } from 'viem'
import { type ParticipationFacts, selectParticipation } from '#schema/queries/settlements/solverSuspensions.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { SolverFailure } from './computeBarredOrders.ts'
import type { ActiveSuspension } from './computeStandings.ts'
import { computeMaxUnsettled, isProven } from './computeSuspension.ts'
import { findSuspension } from './findSuspension.ts'
import type { SettlingDeps } from './settlingDeps.ts'

/** Participation of solvers until the next update. */
export type Participation = {
  /** active suspensions */
  suspensions: ReadonlyMap<Address, ActiveSuspension>
  /** number of further wins per solver before it yields, see `computeMaxUnsettled` */
  allowances: ReadonlyMap<Address, number>
  /** solvers without a success since their newest suspension */
  unproven: ReadonlySet<Address>
  failures: readonly SolverFailure[]
}

/** State between updates, so that suspensions survive a database failure. */
export type ParticipationState = { participation: Participation }

export const createParticipationState = (): ParticipationState => ({
  participation: { suspensions: new Map(), allowances: new Map(), unproven: new Set(), failures: [] },
})

/**
 * Evaluates the newest attempts of all solvers, suspends those that failed too often, and returns the active
 * suspensions. Start and end of a suspension are logged, and the solver is notified.
 * @returns the previous state when the database fails
 */
export const findParticipation = async (deps: SettlingDeps, state: ParticipationState): Promise<Participation> => {
  const { solvers, database, network, now, log } = deps
  const before = state.participation
  const facts = await selectParticipation(
    database,
    network.chainId,
    solvers.map(({ address }) => address),
  ).catch((error: unknown) => {
    log({ message: 'participation unknown', network: network.name, cause: describeError(error) })
    return undefined
  })
  const found = facts && (await Promise.all(solvers.map(({ address }) => findSuspension(deps, facts, address))))
  const known = found ? solvers.map(({ address }, i) => [address, found[i]] as const) : [...before.suspensions]
  const suspensions = new Map(
    known.flatMap(([address, suspension]) =>
      suspension && suspension.until > now() ? [[address, suspension] as const] : [],
    ),
  )
  for (const address of before.suspensions.keys()) {
    const name = solvers.find((solver) => solver.address === address)?.name
    if (name && !suspensions.has(address)) log({ message: 'suspension ended', network: network.name, solver: name })
  }
  const records = facts && solvers.map(({ address }) => [address, computeRecord(facts, address)] as const)
  state.participation = {
    suspensions,
    allowances: records ? new Map(records.map(([address, { allowance }]) => [address, allowance])) : before.allowances,
    unproven: records
      ? new Set(records.flatMap(([address, record]) => (record.isProven ? [] : [address])))
      : before.unproven,
    failures: facts?.failures ?? before.failures,
  }
  return state.participation
}

const computeRecord = (facts: ParticipationFacts, address: Address) => {
  const attempts = facts.attempts.filter(({ solver }) => solver === address)
  const former = facts.suspensions.find(({ solver }) => solver === address)
  const unsettled = facts.running.get(address) ?? 0
  return {
    allowance: Math.max(0, computeMaxUnsettled(attempts, former) - unsettled),
    isProven: isProven(attempts),
  }
}
