import type { StreamTopic } from './answerWithStream.ts'
import { toTopicKey } from './toTopicKey.ts'

/** Feed of a topic, by its first four bytes, which are uniformly distributed in order UIDs and in addresses. */
export const computeShard = (topic: StreamTopic, shards: number): number =>
  Number.parseInt(toTopicKey(topic).slice(2, 10), 16) % shards

/** Feed of all WebSockets of a client: a hash (FNV-1a) of its key. */
export const computeClientShard = (client: string, shards: number): number => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(client)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash % shards
}
