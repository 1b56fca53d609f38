import type { CurrentStatus, RecentStatus } from '#schema/queries/networkStatus.ts'
import type { NetworkStatus } from '#shared/status/networkStatusSchema.ts'

/** A block; `timestamp` in Unix seconds. */
export type Head = { number: bigint; timestamp: bigint }

/** @param at when `current` and `head` were looked up, Unix milliseconds; no head: the node did not say */
export const toStatus = (
  chainId: number,
  { current, head, at }: { current: CurrentStatus; head: Head | undefined; at: number },
  { solvers, hours }: RecentStatus,
): NetworkStatus => {
  const { indexed, oldestUndeliveredSeconds, ...others } = current
  const isComparable = head !== undefined && indexed !== null
  return {
    state: 'ok',
    chainId,
    time: new Date(at).toISOString(),
    ...others,
    indexer: {
      block: indexed?.block ?? null,
      head: head ? Number(head.number) : null,
      lagBlocks: isComparable ? atLeastZero(Number(head.number) - indexed.block) : null,
      lagSeconds: isComparable ? atLeastZero(Number(head.timestamp) - indexed.timestamp) : null,
      headAgeSeconds: head ? atLeastZero(Math.round(at / 1_000) - Number(head.timestamp)) : null,
    },
    notifications: { oldestUndeliveredSeconds },
    solvers,
    hours,
  }
}

/** A node behind a load balancer may be older than what is indexed, and its clock ahead of ours. */
const atLeastZero = (value: number): number => Math.max(0, value)
