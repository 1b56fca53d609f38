import type { Address } from 'viem'
import { insertSuspension, type ParticipationFacts, selectParticipation } from '#schema/queries/solverSuspensions.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { ClockDeps } from '../clockDeps.ts'
import type { SolverFailure } from './computeBarredOrders.ts'
import type { ActiveSuspension } from './computeStandings.ts'
import { computeSuspension } from './computeSuspension.ts'
import { describeSuspension } from './describeSuspension.ts'
import { requestNotice } from './requestNotice.ts'

export type ParticipationDeps = Pick<ClockDeps, 'network' | 'database' | 'solvers' | 'now' | 'log' | 'background'>

/** How solvers take part until the next look; `suspensions` are those that have not ended. */
export type Participation = {
  suspensions: ReadonlyMap<Address, ActiveSuspension>
  failures: readonly SolverFailure[]
}

/** What one look leaves for the next: a database that fails must not forget who is suspended. */
export type ParticipationState = { participation: Participation }

export const createParticipationState = (): ParticipationState => ({
  participation: { suspensions: new Map(), failures: [] },
})

/**
 * Judges the newest attempts of all solvers, suspends those that failed too often, and says who is suspended now. A
 * suspension ends with its time. Its beginning and its end are a line of the log, and its solver is notified.
 * @returns what was known before when the database fails
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
  state.participation = { suspensions, failures: facts?.failures ?? before.failures }
  return state.participation
}

/** The newest suspension of a solver: the one that begins now, or the last one. */
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
  const until = Math.max(from + verdict.durationMs, last?.until ?? 0)
  const { reason, failures, level } = verdict
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
    // it is judged again in the next auction
    deps.log({
      message: 'suspension not recorded',
      network: deps.network.name,
      solver: address,
      cause: describeError(error),
    })
  }
  return { reason, until }
}
