import type { Address } from 'viem'
import {
  insertSuspension,
  type ParticipationFacts,
  selectParticipation,
} from '#schema/queries/settlements/solverSuspensions.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { ClockDeps } from '../clockDeps.ts'
import { requestNotice } from '../solvers/requestNotice.ts'
import type { SolverFailure } from './computeBarredOrders.ts'
import type { ActiveSuspension } from './computeStandings.ts'
import { computeMaxUnsettled, computeSuspension, isProven } from './computeSuspension.ts'
import { describeSuspension } from './describeSuspension.ts'

export type ParticipationDeps = Pick<ClockDeps, 'network' | 'database' | 'solvers' | 'now' | 'log' | 'background'>

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
export const findParticipation = async (deps: ParticipationDeps, state: ParticipationState): Promise<Participation> => {
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

/** Newest suspension of a solver: a new one, or its last one. */
const findSuspension = async (
  deps: ParticipationDeps,
  facts: ParticipationFacts,
  address: Address,
): Promise<ActiveSuspension | undefined> => {
  const former = facts.suspensions.find(({ solver }) => solver === address)
  const last = former && { reason: former.reason, until: former.until.getTime() }
  const attempts = facts.attempts.filter(({ solver }) => solver === address)
  const verdict = computeSuspension(attempts, former)
  const auctionId = facts.newestAuctions.get(address)
  if (!verdict || auctionId === undefined) return last
  const from = deps.now()
  // hostile orders can cause reverts: they do not prolong a suspension for other failures, and count after it
  const active = last && last.until > from ? last : undefined
  if (verdict.reason === 'reverted' && active && active.reason !== 'reverted') return active
  const until = Math.max(from + verdict.durationMs, last?.until ?? 0)
  const { failures, level } = verdict
  const reason = active?.reason === 'mismatch' ? active.reason : verdict.reason
  const times = { from: new Date(from), until: new Date(until) }
  const row = { chainId: deps.network.chainId, solver: address, auctionId, ...times, reason, failures, level }
  const solver = deps.solvers.find((configured) => configured.address === address)
  try {
    if ((await insertSuspension(deps.database, row)) && solver) {
      const facts = { reason, failures, level, until: row.until.toISOString() }
      deps.log({ message: 'solver suspended', network: deps.network.name, solver: solver.name, ...facts })
      const notice = { auctionId: String(auctionId), solutionId: null, kind: 'suspended' as const }
      deps.background(requestNotice(solver, { ...notice, reason: describeSuspension({ reason, until }) }))
    }
  } catch (error) {
    // evaluated again in the next auction
    deps.log({
      message: 'suspension not recorded',
      network: deps.network.name,
      solver: address,
      cause: describeError(error),
    })
  }
  return { reason, until }
}
