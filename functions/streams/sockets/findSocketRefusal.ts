import type { SocketRefusal } from './openSocket.ts'

export type AdmissionFacts = {
  /** WebSockets of the client at this feed */
  held: number
  /** WebSockets of the client at its other feed */
  elsewhere: number
  /** WebSockets of all clients at this feed */
  all: number
  maxPerClient: number
  maxPerFeed: number
}

/**
 * Why a feed does not take another WebSocket of a client; undefined when it does. A client is at two feeds after it found
 * the first one full, so both are counted.
 */
export const findSocketRefusal = (facts: AdmissionFacts): SocketRefusal | undefined => {
  const { held, elsewhere, all, maxPerClient, maxPerFeed } = facts
  if (held + elsewhere >= maxPerClient) return { limit: 'socketsPerClient', max: maxPerClient }
  return all >= maxPerFeed ? { limit: 'socketsPerFeed', max: maxPerFeed, held } : undefined
}
