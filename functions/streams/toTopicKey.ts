import type { Address, Hex } from 'viem'
import type { LogTopic } from '#schema/queries/events/selectMissedOrderEvents.ts'

/** Unique key of a topic: the UID of an order, or an account. */
export const toTopicKey = (topic: LogTopic): Address | Hex => ('orderUid' in topic ? topic.orderUid : topic.account)
