import type { Address } from 'viem'
import { insertSuspension, type ParticipationFacts } from '#schema/queries/settlements/solverSuspensions.ts'
import { describeError } from '#shared/http/describeError.ts'
import { requestNotice } from '../solvers/requestNotice.ts'
import type { ActiveSuspension } from './computeStandings.ts'
import { computeSuspension } from './computeSuspension.ts'
import { describeSuspension } from './describeSuspension.ts'
import type { SettlingDeps } from './settlingDeps.ts'

/** Newest suspension of a solver: a new one, or its last one. */
export const findSuspension = async (
  deps: SettlingDeps,
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
