import type { Hex } from 'viem'
import type { EventSubscription } from '../actors/createSubscriber.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

type Position = readonly [writtenBy: bigint, id: bigint]

const toPosition = (id: string): Position => {
  const [writtenBy = '0', number = '0'] = id.split('-')
  return [BigInt(writtenBy), BigInt(number)]
}
const readUid = (data: string): Hex => (JSON.parse(data) as { orderUid: Hex }).orderUid
const isBefore = (a: Position, b: Position): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])

/**
 * No subscriber misses an event of its account up to the newest that it received, or receives one twice.
 * @throws Violation
 */
export const checkSubscribers = async (
  { database }: World,
  subscriptions: readonly EventSubscription[],
): Promise<void> => {
  for (const { account, received } of subscriptions) {
    const events = received.filter(({ event }) => event === 'order')
    const [first] = events
    const last = events.at(-1)
    if (!first || !last) continue
    const ids = new Set<string>()
    for (const { id, data } of events) {
      if (ids.has(id)) throw new Violation('subscribers', `${account} received ${id} twice: ${data}`, readUid(data))
      ids.add(id)
    }
    for (const [i, { id }] of events.entries()) {
      const before = events[i - 1]
      if (before && !isBefore(toPosition(before.id), toPosition(id)))
        throw new Violation('subscribers', `${account} received ${id} after ${before.id}`)
    }
    const rows = await database.read(
      `select e.written_by || '-' || e.id as position, e.order_uid from order_events e
        join orders o on o.uid = e.order_uid where o.owner = $1
        and (e.written_by, e.id) between ($2::xid8, $3::bigint) and ($4::xid8, $5::bigint)`,
      [`\\x${account.slice(2)}`, ...toPosition(first.id).map(String), ...toPosition(last.id).map(String)],
    )
    for (const { position, order_uid } of rows)
      if (!ids.has(position ?? ''))
        throw new Violation('subscribers', `${account} missed ${position}`, `0x${order_uid?.slice(2)}`)
  }
}
