import type { LogTopic } from '#schema/queries/events/selectMissedOrderEvents.ts'
import { toTopicKey } from './toTopicKey.ts'

/** Feed of a topic, by its first four bytes, which are uniformly distributed in order UIDs and in addresses. */
export const computeShard = (topic: LogTopic, shards: number): number =>
  Number.parseInt(toTopicKey(topic).slice(2, 10), 16) % shards
