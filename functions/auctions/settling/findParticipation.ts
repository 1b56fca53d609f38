import type { Address, Hex } from 'viem'
import {
  insertSuspension,
  type ParticipationFacts,
  selectParticipation,
} from '#schema/queries/settlements/solverSuspensions.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { Allowance } from '../competition/rules.ts'
import { requestNotice } from '../solvers/requestNotice.ts'
import {
  computeMaxUnsettled,
  computeSuspension,
  describeSuspension,
  isProven,
  type Suspension,
} from './computeSuspension.ts'
import type { SettlingDeps } from './settlingDeps.ts'

/** Failed wins of one order by one solver since the order's last fill; `faults` as in `settlementFailures`. */
export type SolverFailure = { orderUid: Hex; solver: Address; faults: number; lastBlock: number }

/** Participation of solvers until the next update. */
export type Participation = {
  /** active suspensions */
  suspensions: ReadonlyMap<Address, Suspension>
  /** solvers without an entry have no limit */
  allowances: ReadonlyMap<Address, Allowance>
  /** solvers without a success since their newest suspension */
  unproven: ReadonlySet<Address>
  failures: readonly SolverFailure[]
  /** what solvers paid less than promised and did not repay, wei */
  debts: ReadonlyMap<Address, bigint>
}

export const noParticipation: Participation = {
  suspensions: new Map(),
  allowances: new Map(),
  unproven: new Set(),
  failures: [],
  debts: new Map(),
}

/**
 * Evaluates the newest attempts of all solvers, suspends those whose faults require it, and returns the active
 * suspensions. Start and end of a suspension are logged, and the solver is notified.
 * @returns also the failed attempts that are not attributed yet
 * @param before the previous result: suspensions survive a failure of the database
 */
export const findParticipation = async (
  deps: SettlingDeps,
  before: Participation,
): Promise<{ participation: Participation; unattributed: ParticipationFacts['unattributed'] }> => {
  const { solvers, database, network, now, log } = deps
  const accounts = solvers.map(({ address }) => address)
  const facts = await selectParticipation(database, network.chainId, accounts).catch((error: unknown) => {
    log({ message: 'participation unknown', network: network.name, cause: describeError(error) })
    return undefined
  })
  const found = facts
    ? await Promise.all(accounts.map(async (solver) => [solver, await findSuspension(deps, facts, solver)] as const))
    : [...before.suspensions]
  const suspensions = new Map(
    found.flatMap(([solver, suspension]) =>
      suspension && suspension.until > now() ? [[solver, suspension] as const] : [],
    ),
  )
  for (const solver of before.suspensions.keys()) {
    const name = solvers.find(({ address }) => address === solver)?.name
    if (name && !suspensions.has(solver)) log({ message: 'suspension ended', network: network.name, solver: name })
  }
  if (!facts) return { participation: { ...before, suspensions }, unattributed: [] }
  const participation = {
    suspensions,
    allowances: new Map(accounts.flatMap((solver) => toAllowance(facts, solver, now()))),
    unproven: new Set(accounts.filter((solver) => !isProven(attemptsOf(facts, solver)))),
    failures: facts.failures,
    debts: facts.debts,
  }
  return { participation, unattributed: facts.unattributed }
}

const attemptsOf = ({ attempts }: ParticipationFacts, solver: Address) =>
  attempts.filter((attempt) => attempt.solver === solver)

const formerOf = ({ suspensions }: ParticipationFacts, solver: Address): Suspension | undefined => {
  const row = suspensions.find((suspension) => suspension.solver === solver)
  return (
    row && { reason: row.reason === 'mismatch' ? 'mismatch' : 'timeout', level: row.level, until: row.until.getTime() }
  )
}

const toAllowance = (facts: ParticipationFacts, solver: Address, now: number): [Address, Allowance][] => {
  const most = computeMaxUnsettled(attemptsOf(facts, solver), formerOf(facts, solver), now)
  if (most === undefined) return []
  const running = facts.running.get(solver) ?? { wins: 0, score: 0n }
  return [[solver, { score: most > running.score ? most - running.score : 0n, unsettled: running.wins }]]
}

/** Newest suspension of a solver: a new one, or its last one. */
const findSuspension = async (
  deps: SettlingDeps,
  facts: ParticipationFacts,
  solver: Address,
): Promise<Suspension | undefined> => {
  const from = deps.now()
  const former = formerOf(facts, solver)
  const verdict = computeSuspension(attemptsOf(facts, solver), former, from)
  const auctionId = facts.newestAuctions.get(solver)
  if (!verdict || auctionId === undefined) return former
  const { failures, level } = verdict
  const isActive = former !== undefined && former.until > from
  const reason = isActive && former.reason === 'mismatch' ? former.reason : verdict.reason
  const until = Math.max(from + verdict.durationMs, former?.until ?? 0)
  const times = { from: new Date(from), until: new Date(until) }
  const row = { chainId: deps.network.chainId, solver, auctionId, ...times, reason, failures, level }
  const connected = deps.solvers.find(({ address }) => address === solver)
  try {
    if ((await insertSuspension(deps.database, row)) && connected) {
      const entry = { reason, failures, level, until: row.until.toISOString() }
      deps.log({ message: 'solver suspended', network: deps.network.name, solver: connected.name, ...entry })
      const notice = { auctionId: String(auctionId), solutionId: null, kind: 'suspended' as const }
      deps.background(
        requestNotice(connected, { ...notice, reason: describeSuspension({ reason, until }, facts.debts.get(solver)) }),
      )
    }
  } catch (error) {
    // evaluated again in the next auction
    deps.log({ message: 'suspension not recorded', network: deps.network.name, solver, cause: describeError(error) })
  }
  return { reason, level, until }
}
