import type { Address } from 'viem'

/** A fee policy as it is configured, for the orders of a class in a span of time. */
export type FeeRule = {
  kind: 'surplus' | 'volume' | 'priceImprovement'
  /** `market`: orders within the market of the quote they were placed with, `limit`: all others */
  orderClass: 'market' | 'limit' | 'any'
  /** share from 0 to below 1; of a volume fee before `FeeRules.buckets` */
  factor: number
  /** bound as a share of the volume; 0 with a volume fee, which has none */
  maxVolumeFactor: number
  /** first second it holds, Unix */
  from: number
  /** first second it does not hold any more, Unix */
  until: number
}

/** What orders of a network pay to the protocol and to partners. Quotes announce and auctions charge by the same rules. */
export type FeeRules = {
  /** in the order of application */
  policies: readonly FeeRule[]
  /** volume fees of pairs whose two tokens are both in the list, as shares; the first such bucket counts */
  buckets: readonly { tokens: ReadonlySet<Address>; factor: number }[]
  /** bound of all partner fees of an order together, millionths of the volume */
  maxPartnerPpm: bigint
}
