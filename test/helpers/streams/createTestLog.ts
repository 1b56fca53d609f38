import { type Address, concat, type Hex } from 'viem'
import type {
  LoggedConditionalEvent,
  LoggedEvent,
  LoggedOrderEvent,
  LogPosition,
} from '#schema/queries/events/logPage.ts'
import type { LogTopic } from '#schema/queries/events/logTopic.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { listTopicKeys, toTopicKey } from '../../../functions/streams/toTopicKey.ts'
import { filledOrder } from '../database/filledOrder.ts'

const pageSize = 3

/**
 * A log of order events in memory, as a feed reads it. Each event has its own transaction.
 * @param owner of all its orders
 */
export const createTestLog = (owner: Address, now: () => number) => {
  const events: LoggedEvent[] = []
  const toPosition = (): LogPosition => ({ writtenBy: horizon().writtenBy, id: events.length + 1 })
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
      label: LoggedOrderEvent['event']['label'],
      onchainUser: Address | null = null,
      isPart = false,
      data: Record<string, string> | null = null,
    ): void => {
      const position = toPosition()
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
    /** An event of one of its conditional orders. */
    writeConditional: (
      hash: Hex,
      label: LoggedConditionalEvent['event']['label'],
      reason: string | null = null,
    ): void => {
      const position = toPosition()
      const event = { id: position.id, orderUid: concat([owner, hash]), label, reason, createdAt: new Date(now()) }
      events.push({
        position,
        event: { ...event, auctionId: null, blockNumber: 12, data: null },
        conditional: {
          owner,
          hash,
          found: { handler: publicContracts.twap, state: label === 'ended' ? 'ended' : 'open' },
        },
      })
    },
  }
}
