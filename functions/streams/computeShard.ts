import type { LogTopic } from '#schema/queries/newOrderEvents.ts'
import { toTopicKey } from './toTopicKey.ts'

/** Which of a network's feeds tells of a topic: by its first four bytes, digits of a hash both of an order and of an account. */
export const computeShard = (topic: LogTopic, shards: number): number =>
  Number.parseInt(toTopicKey(topic).slice(2, 10), 16) % shards
