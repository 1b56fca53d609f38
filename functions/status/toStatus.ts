import type { CurrentStatus } from '#schema/queries/status/selectCurrentStatus.ts'
import type { RecentStatus } from '#schema/queries/status/selectRecentStatus.ts'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import { computeFinality } from '#shared/chain/finality.ts'
import { type SolverFaults, type StatusSolver, toSolverStatuses } from './toSolverStatuses.ts'

/** A block; `timestamp` in Unix seconds. */
export type Head = { number: bigint; timestamp: bigint }

/** @param at time of the lookup of `current` and `head`, Unix milliseconds; no head: the node failed */
export const toStatus = (
  { chainId, knownSolvers }: { chainId: number; knownSolvers: readonly StatusSolver[] },
  { current, head, faults, at }: { current: CurrentStatus; head: Head | undefined; faults: SolverFaults; at: number },
  recent: RecentStatus,
): NetworkStatus => {
  const { indexed, difference, oldestUndeliveredSeconds, suspensions, debts, ...others } = current
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
      difference,
    },
    notifications: { oldestUndeliveredSeconds },
    solvers: toSolverStatuses(knownSolvers, recent, faults, { suspensions, debts }),
    hours: recent.hours,
  }
}

/** Counted from the newest known block: the node or the index may be behind. */
const toFinality = (chainId: number, indexed: number | undefined, head: Head | undefined) =>
  indexed === undefined && !head
    ? { safeBlock: null, finalizedBlock: null }
    : computeFinality(chainId, Math.max(indexed ?? 0, Number(head?.number ?? 0)))

/** A node behind a load balancer may lag behind the indexer, and block times may be ahead of the local clock. */
const atLeastZero = (value: number): number => Math.max(0, value)
