import type { Address, Hex } from 'viem'
import type { LoggedEvent, LogPosition } from '#schema/queries/events/logPage.ts'
import type { LogTopic } from '#schema/queries/events/logTopic.ts'
import { listTopicKeys, toTopicKey } from '../../../functions/streams/toTopicKey.ts'
import { filledOrder } from '../database/filledOrder.ts'

const pageSize = 3

/**
 * A log of order events in memory, as a feed reads it. Each event has its own transaction.
 * @param owner of all its orders
 */
export const createTestLog = (owner: Address, now: () => number) => {
  const events: LoggedEvent[] = []
  const horizon = (): LogPosition => ({ writtenBy: (events.at(-1)?.position.writtenBy ?? 99n) + 1n, id: 0 })
  const isBehind = (after: LogPosition | undefined) => (event: LoggedEvent) =>
    !after ||
    event.position.writtenBy > after.writtenBy ||
    (event.position.writtenBy === after.writtenBy && event.position.id > after.id)
  const listOf = (topic: LogTopic, after?: LogPosition): LoggedEvent[] =>
    events.filter(isBehind(after)).filter((logged) => listTopicKeys(logged).includes(toTopicKey(topic)))
  return {
    pageSize,
    events,
    horizon,
    listOf,
    /** The next page after a position. */
    listNew: (after: LogPosition) => {
      const behind = events.filter(isBehind(after))
      const isLast = behind.length <= pageSize
      const page = behind.slice(0, pageSize)
      return { events: page, isLast, position: isLast ? horizon() : (page.at(-1)?.position ?? after) }
    },
    write: (
      uid: Hex,
      label: LoggedEvent['event']['label'],
      onchainUser: Address | null = null,
      isPart = false,
      data: Record<string, string> | null = null,
    ): void => {
      const position = { writtenBy: horizon().writtenBy, id: events.length + 1 }
      const event = {
        id: position.id,
        orderUid: uid,
        label,
        reason: null,
        createdAt: new Date(now()),
        auctionId: 7,
        blockNumber: null,
        data,
      }
      events.push({
        position,
        event,
        order: { ...filledOrder, uid, owner, onchainUser, isPart },
        trade: null,
        notifications: [],
      })
    },
  }
}
