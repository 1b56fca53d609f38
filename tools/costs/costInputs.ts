/**
 * List prices in US dollars, before taxes and discounts, and what each plan includes in a month. Read in November 2026:
 * the pages "Pricing" of Cloudflare Workers, Durable Objects and Queues, "Neon plans" (Launch), and Alchemy's pay-as-you-go
 * plan. A price for many is per million.
 */
export const listPrices = {
  plan: 5,
  requests: { included: 10e6, perMillion: 0.3 },
  cpuMs: { included: 30e6, perMillion: 0.02 },
  objectRequests: { included: 1e6, perMillion: 0.15 },
  objectGbSeconds: { included: 400_000, perMillion: 12.5 },
  objectRowsWritten: { included: 50e6, perMillion: 1 },
  logLines: { included: 20e6, perMillion: 0.6 },
  queueOperations: { included: 1e6, perMillion: 0.4 },
  databaseUnitHour: 0.106,
  databaseGb: 0.35,
  databaseHistoryGb: 0.2,
  databaseEgressGb: { included: 100, each: 0.1 },
  /** request units of a node provider; the first step, then all above */
  nodeUnits: { step: 300e6, perMillion: 0.45, perMillionAbove: 0.4 },
} as const

/** Units that the same provider counts for a call. */
export const nodeUnits = {
  eth_getBlockByNumber: 20,
  eth_getLogs: 60,
  eth_getBlockReceipts: 20,
  eth_call: 26,
  eth_gasPrice: 20,
  eth_simulateV1: 40,
} as const

/** The networks of the estimate; seconds between two blocks are those of `shared/networks.ts`. */
export const estimatedNetworks = ['mainnet', 'gnosis', 'base', 'arbitrum_one', 'sepolia'] as const

/** Processor time in milliseconds: docs/performance.md, "The last run", without the floor of the load generator. */
export const cpuMs = { read: 1.6, quote: 5.1, order: 3.7, round: 690, tick: 5 } as const

/** Bytes with indexes, on a Postgres server with a million orders, four of five of them filled. */
export const storedBytes = {
  /** an order with its four events, quote, trade, execution, settlement and two notifications, all as long as those of a local stack */
  order: 7_600,
  /** of them, events and the quote's plan that move to the archive (40,000 orders) */
  moved: 1_930,
  /** of them, the notifications */
  notifications: 2_170,
  quote: 1_200,
  /** one of an auction's prices */
  price: 68,
  /** a solution with one order */
  solution: 460,
  /** an auction whose competition moved: its winner, and keys of seven orders that other solutions had (3,000 auctions) */
  archivedAuction: 1_450,
  /** the database's response to a read */
  read: 6_144,
  /** what a round reads of an open order */
  openOrder: 145,
} as const

/** How the service is used: not measured, but chosen. */
export const usage = {
  readsPerDay: 10e6,
  /** share of reads that the platform's cache answers without a Worker's work */
  cachedShare: 0.5,
  quotesPerOrder: 10,
  /** `REQUEST_LOG_SHARE` */
  logShare: 1,
  /** auctions with solutions of all networks in a day, at most; fewer where there are fewer orders */
  auctionsPerDay: 36_000,
  /** tokens that a solution touches: only their prices are stored */
  tokensPerAuction: 60,
  solutionsPerAuction: 30,
  /** calls of a node for each auction: prices and funds */
  callsPerAuction: 5,
  /** streams that always have a client, one object each */
  streams: 20,
  objectGb: 0.125,
  /** solvers of an auction; an object of each waits while it thinks, and one of the winner until its settlement is mined */
  solvers: 5,
  solveSeconds: 3,
  settleSeconds: 12,
  /** open orders of all networks, and size of the database's compute, by orders a day */
  volumes: [
    { ordersPerDay: 10_000, openOrders: 500, databaseUnits: 1 },
    { ordersPerDay: 100_000, openOrders: 3_000, databaseUnits: 4 },
    { ordersPerDay: 1_000_000, openOrders: 10_000, databaseUnits: 16 },
  ],
  quoteDays: 7,
  /** `ARCHIVE_AFTER_DAYS` of a deployment with an archive */
  archiveDays: 30,
  /** `NOTIFICATION_RETENTION_DAYS` where it is set */
  notificationDays: 31,
  historyDays: 7,
  /**
   * offers that two local solvers make for a quote and its prices; calls of each: 1 while the pools of the block are in
   * memory, 7 otherwise
   */
  localOffersPerQuote: 5,
  callsPerLocalOffer: 4,
} as const

export type Volume = (typeof usage.volumes)[number]
