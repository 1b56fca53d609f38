import type { CurrentStatus, RecentStatus } from '#schema/queries/status/networkStatus.ts'
import { computeFinality } from '#shared/chain/finality.ts'
import type { NetworkStatus } from '#shared/networkStatusSchema.ts'
import type { SolverEntry } from '#shared/solvers/solverList.ts'

/** A block; `timestamp` in Unix seconds. */
export type Head = { number: bigint; timestamp: bigint }

/** A solver of the settings. */
export type StatusSolver = Pick<SolverEntry, 'name' | 'address'>

/** @param at time of the lookup of `current` and `head`, Unix milliseconds; no head: the node failed */
export const toStatus = (
  { chainId, knownSolvers }: { chainId: number; knownSolvers: readonly StatusSolver[] },
  { current, head, faults, at }: { current: CurrentStatus; head: Head | undefined; faults: SolverFaults; at: number },
  recent: RecentStatus,
): NetworkStatus => {
  const { indexed, oldestUndeliveredSeconds, suspensions, ...others } = current
  const isComparable = head !== undefined && indexed !== null
  return {
    state: 'ok',
    chainId,
    time: new Date(at).toISOString(),
    ...others,
    indexer: {
      block: indexed?.block ?? null,
      head: head ? Number(head.number) : null,
      ...toFinality(chainId, indexed?.block, head),
      lagBlocks: isComparable ? atLeastZero(Number(head.number) - indexed.block) : null,
      lagSeconds: isComparable ? atLeastZero(Number(head.timestamp) - indexed.timestamp) : null,
      headAgeSeconds: head ? atLeastZero(Math.round(at / 1_000) - Number(head.timestamp)) : null,
    },
    notifications: { oldestUndeliveredSeconds },
    solvers: toSolvers(knownSolvers, recent, faults, suspensions),
    hours: recent.hours,
  }
}

/** Counted from the newest known block: the node or the index may be behind. */
const toFinality = (chainId: number, indexed: number | undefined, head: Head | undefined) =>
  indexed === undefined && !head
    ? { safeBlock: null, finalizedBlock: null }
    : computeFinality(chainId, Math.max(indexed ?? 0, Number(head?.number ?? 0)))

/** Reasons why solvers cannot settle, by address. */
export type SolverFaults = ReadonlyMap<string, string>

type SolverStatus = NetworkStatus['solvers'][number]

/** Active solvers, then configured ones without activity, which have no row in `recent`. */
const toSolvers = (
  known: readonly StatusSolver[],
  { solvers, solvedAuctions }: RecentStatus,
  faults: SolverFaults,
  suspensions: CurrentStatus['suspensions'],
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
    suspension: suspensionOf.get(solver.address) ?? null,
  }))
}

const nothing = {
  ...{ solutions: 0, wins: 0, attempts: 0, successes: 0, failures: 0 },
  ...{ lastSolutionAgeSeconds: null, missedAuctions: null },
}

/** A node behind a load balancer may lag behind the indexer, and block times may be ahead of the local clock. */
const atLeastZero = (value: number): number => Math.max(0, value)
