import type { Address } from 'viem'

/** A configured fee policy, for a class of orders within a time span. */
export type FeeRule = {
  kind: 'surplus' | 'volume' | 'priceImprovement'
  /** `market`: orders within the market of the quote they were placed with, `limit`: all others */
  orderClass: 'market' | 'limit' | 'any'
  /** share from 0 to below 1; of a volume fee before `FeeRules.buckets` */
  factor: number
  /** bound as a share of the volume; 0 with a volume fee, which has none */
  maxVolumeFactor: number
  /** first second in which it applies, Unix */
  from: number
  /** first second in which it no longer applies, Unix */
  until: number
}

/** Protocol and partner fees of a network. Quotes announce and auctions charge fees by the same rules. */
export type FeeRules = {
  /** in the order of application */
  policies: readonly FeeRule[]
  /** volume fees of pairs whose two tokens are both in the list, as shares; the first match applies */
  buckets: readonly { tokens: ReadonlySet<Address>; factor: number }[]
  /** bound of all partner fees of an order together, millionths of the volume */
  maxPartnerPpm: bigint
}
