import type { Database } from '#schema/client.ts'
import { insertCarriedSamples } from '#schema/queries/affiliate/carriedSamples.ts'
import { insertCarriedTrades, selectTradesToCarry } from '#schema/queries/affiliate/carriedTrades.ts'
import { markTradesCarried } from '#schema/queries/affiliate/tradeCarries.ts'
import { type CrossedLimit, recordAlarms } from '#schema/queries/alarms/recordAlarms.ts'
import { selectArchivableCompetitions } from '#schema/queries/auctions/archivedCompetitions.ts'
import {
  type CompetitionRecord,
  type CutRecord,
  insertAuction,
  insertCompetition,
} from '#schema/queries/auctions/auctions.ts'
import { updateAvailableBalances } from '#schema/queries/auctions/availableBalances.ts'
import { deleteArchivedCompetitions } from '#schema/queries/auctions/deleteArchivedCompetitions.ts'
import { type ChainEvents, noEvents } from '#schema/queries/chain/chainUpdate.ts'
import { updateChain } from '#schema/queries/chain/updateChain.ts'
import { selectArchivableEvents } from '#schema/queries/events/archivedEvents.ts'
import { deleteArchivedEvents } from '#schema/queries/events/deleteArchivedEvents.ts'
import { insertPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { replaceYieldPools } from '#schema/queries/markets/yieldPools.ts'
import { updateCancelledOrders } from '#schema/queries/orders/cancellations.ts'
import type { OrderBounds } from '#schema/queries/orders/orderBounds.ts'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { deleteOldQuotes, insertQuote, type NewQuote } from '#schema/queries/quotes/quotes.ts'
import { closeFailedAttempt } from '#schema/queries/settlements/settlementAttempts.ts'
import { insertSuspension } from '#schema/queries/settlements/solverSuspensions.ts'
import { insertTokens } from '#schema/queries/tokens/tokens.ts'
import { networks } from '#shared/networks.ts'
import {
  buildOrder,
  buildSettledWin,
  buyToken,
  everyEvent,
  expiring,
  genesis,
  hashOf,
  owner,
  sellToken,
  solver,
  uidOf,
} from './networkEvents.ts'

const { wrappedNative } = networks.sepolia
/** As Postgres writes bytes in JSON. */
const toBytea = (hex: string): string => `\\x${hex.slice(2)}`
/** One write on a network, as a Worker does it. */
export type HistoryStep = [name: string, run: (database: Database, chainId: number) => Promise<unknown>]

const place = (seed: number, changes: Partial<NewOrder> = {}, bounds: OrderBounds | null = null): HistoryStep => [
  `places order ${seed}`,
  (database, chainId) =>
    insertOrder(
      database,
      buildOrder(chainId, seed, changes),
      null,
      bounds,
      bounds && { now: genesis, maxGas: 10n ** 9n },
    ),
]

/** Bounds that the orders of one network just reach. */
const bounds: OrderBounds = { now: genesis, limitOrders: 9, openOrders: 9, unsignedOfClient: 1, unsignedOrders: 2 }

const cut = (id: number, changes: Partial<CutRecord>): HistoryStep => [
  `cuts auction ${id}`,
  (database, chainId) =>
    insertAuction(database, chainId, {
      id,
      block: 99 + id,
      prices: { [sellToken]: String(id), [buyToken]: '7' },
      transitions: [],
      entered: [],
      changed: [],
      left: [],
      ...changes,
    }),
]

const listed = (seed: number, text: string) => ({ uid: uidOf(seed), body: JSON.stringify({ created: seed, text }) })

/** An auction whose winner fills one order; a second solver had it too. */
const compete = (auctionId: number, seed: number, deadlineBlock: number): HistoryStep => [
  `records the competition of auction ${auctionId}`,
  (database, chainId) => {
    const of = (solutionUid: number): CompetitionRecord['solutionOrders'][number] => ({
      solutionUid,
      orderUid: uidOf(seed),
      side: 'sell',
      sellToken,
      buyToken,
      limitSell: 1_000n,
      limitBuy: 2_000n,
      executedSell: 1_000n,
      executedBuy: 2_100n,
    })
    const ranked = { solver, filteredOut: false, score: 5n, referenceScore: null }
    return insertCompetition(database, chainId, {
      auctionId,
      block: 99 + auctionId,
      startBlock: 100 + auctionId,
      deadlineBlock,
      orderCount: 2,
      prices: { [sellToken]: '3', [buyToken]: '7' },
      solutions: [
        { uid: 0, solutionId: 1, isWinner: true, ...ranked },
        { uid: 1, solutionId: 2, isWinner: false, ...ranked },
      ],
      solutionOrders: [of(0), of(1)],
      feePolicies: [{ orderUid: uidOf(seed), applicationOrder: 0, kind: 'volume', volumeFactor: 0.01 }],
      transitions: [{ uid: uidOf(seed), label: 'executing', reason: null }],
      winningOrders: [uidOf(seed)],
    })
  },
]

/** The indexer's step; `fork` changes the block hashes. */
const index = (
  name: string,
  [fromBlock, toBlock]: [number, number],
  events: (chainId: number) => Partial<ChainEvents>,
  { undoFrom = null, fork = 0 }: { undoFrom?: number | null; fork?: number } = {},
): HistoryStep => [
  name,
  (database, chainId) =>
    updateChain(database, chainId, {
      ...noEvents,
      ...events(chainId),
      fromBlock,
      toBlock,
      blocks: Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => ({
        number: fromBlock + i,
        hash: hashOf(fork * 1_000 + fromBlock + i),
        timestamp: new Date((genesis + (fromBlock + i) * 12) * 1_000),
      })),
      undoFrom,
    }),
]

const sample = (daysAgo: number): HistoryStep => [
  `samples prices ${daysAgo} days ago`,
  (database, chainId) =>
    insertPriceSamples(
      database,
      { chainId, wrappedNative },
      [
        { token: wrappedNative, price: 2_000 + daysAgo },
        { token: buyToken, price: 1 },
      ],
      genesis - daysAgo * 86_400,
    ),
]

const pools = (apr: number): HistoryStep => [
  'replaces the yield pools',
  (database, chainId) =>
    replaceYieldPools(database, chainId, [
      { id: 'a', contractAddress: sellToken, project: 'one', apr, fee: 1, tvl: 10, volume: null },
    ]),
]

const alarms = (name: string, crossed: CrossedLimit[]): HistoryStep => [
  name,
  (database, chainId) =>
    recordAlarms(database, {
      ...{ chainId, crossed, channels: ['webhook'], reminderSeconds: 86_400 },
      now: new Date(genesis * 1_000),
    }),
]

const longAgo = new Date(Date.UTC(2000, 0, 1))

/** Every statement that writes rows of a network, in the order of an ordinary history with two reorganisations. */
export const networkHistory: readonly HistoryStep[] = [
  [
    'copies trades that another database has',
    async (database, chainId) => {
      const part = await selectTradesToCarry(database, chainId, 2)
      const trade = {
        ...{
          chain_id: chainId,
          block_number: 10_000,
          log_index: 1,
          settled_at: new Date(genesis * 1_000),
          trader: toBytea(owner),
        },
        ...{ transaction_hash: toBytea(hashOf(1)), order_uid: toBytea(uidOf(1)), referrer_code: null },
        ...{ sell_token: toBytea(sellToken), buy_token: toBytea(buyToken), sell_amount: 1, buy_amount: 1, price: null },
        order_created_at: new Date(genesis * 1_000),
      }
      await insertCarriedTrades(database, chainId, { ...part, trades: JSON.stringify([trade]) })
      await markTradesCarried(database, chainId, part)
    },
  ],
  [
    'copies a price that another database has',
    (database, chainId) => {
      const sample = { chain_id: chainId, token: toBytea(wrappedNative), sampled_at: new Date(0), price: 1 }
      return insertCarriedSamples(database, chainId, JSON.stringify([sample]))
    },
  ],
  [
    'stores the facts of a token',
    (database, chainId) => insertTokens(database, [{ chainId, address: sellToken, decimals: 18, symbol: 'A' }]),
  ],
  [
    'keeps a quote of long ago',
    (database, chainId) => insertQuote(database, { ...quote(chainId), createdAt: longAgo, expiresAt: longAgo }),
  ],
  [
    'deletes quotes of long ago',
    (database, chainId) => deleteOldQuotes(database, chainId, new Date(longAgo.getTime() + 1), 10),
  ],
  alarms('raises an alarm', [{ key: 'noHead', value: 'no response', lastsSeconds: 0 }]),
  alarms('resolves an alarm', []),
  ['keeps a quote', (database, chainId) => insertQuote(database, quote(chainId))],
  ['places order 1 with its quote', placeWithQuote],
  [
    'writes the available balance of order 1',
    (database, chainId) => updateAvailableBalances(database, chainId, [{ uid: uidOf(1), available: 5n }]),
  ],
  ...[2, 3].map((seed) => place(seed)),
  place(4, { signingScheme: 'presign' }),
  place(5),
  [
    'replaces order 5 by order 6',
    (database, chainId) => insertOrder(database, buildOrder(chainId, 6), { uid: uidOf(5), now: genesis }),
  ],
  ...[7, 9, 31].map((seed) => place(seed)),
  place(8, { validTo: expiring }),
  place(12, {}, bounds),
  place(13, { signingScheme: 'presign', submittedBy: '0xc1' }, bounds),
  // a signed submission replaces the unsigned one
  place(13, { signature: '0x22' }),
  cut(1, {
    entered: [listed(1, 'a'), listed(2, 'a'), listed(8, 'a')],
    transitions: [
      { uid: uidOf(1), label: 'ready', reason: null },
      { uid: uidOf(9), label: 'invalid', reason: 'insufficient_balance', data: { needed: '2', available: '1' } },
    ],
  }),
  compete(1, 1, 110),
  cut(2, { entered: [listed(9, 'a')], changed: [listed(2, 'b')], left: [uidOf(1)] }),
  compete(2, 2, 110),
  cut(3, {}),
  compete(3, 9, 103),
  cut(4, {}),
  compete(4, 7, 104),
  [
    'ends the attempt of auction 4',
    (database, chainId) =>
      closeFailedAttempt(database, { chainId, auctionId: 4, solutionUid: 0 }, { cause: 'reverted', block: 100 }),
  ],
  [
    'suspends a solver',
    (database, chainId) =>
      insertSuspension(database, {
        chainId,
        solver,
        auctionId: 4,
        from: new Date(genesis * 1_000),
        until: new Date((genesis + 7_200) * 1_000),
        reason: 'timeout',
        failures: 3,
        level: 1,
      }),
  ],
  cut(5, {}),
  ['cancels order 7', (database, chainId) => updateCancelledOrders(database, chainId, [uidOf(7)], genesis)],
  // another network may still have order 7 in its newest auction
  cut(6, { entered: [listed(7, 'a')] }),
  index('indexes the first blocks', [99, 100], () => ({})),
  index('indexes every kind of event', [101, 101], (chainId) => everyEvent(chainId, 101)),
  index('indexes a fill and an expiry and a timeout', [102, 103], () => buildSettledWin(102, 2, 2, 400n)),
  index('undoes two blocks', [102, 104], () => buildSettledWin(104, 2, 2, 500n), { undoFrom: 102, fork: 1 }),
  index('undoes every event', [101, 104], () => ({}), { undoFrom: 101, fork: 2 }),
  index('indexes every kind of event again', [105, 105], (chainId) => everyEvent(chainId, 101)),
  index('forgets old blocks', [106, 202], () => ({}), { fork: 2 }),
  [
    'archives the competition of auction 3',
    async (database, chainId) => {
      const tomorrow = new Date(Date.now() + 86_400_000)
      const lines = await selectArchivableCompetitions(database, chainId, tomorrow, { auctions: 1, bytes: 1e6 })
      return deleteArchivedCompetitions(database, chainId, 'key', lines)
    },
  ],
  [
    'archives events of ended orders',
    async (database, chainId) => {
      const tomorrow = new Date(Date.now() + 86_400_000)
      const { lines } = await selectArchivableEvents(database, chainId, tomorrow, null, {
        scanned: 99,
        orders: 99,
        bytes: 1e6,
      })
      return deleteArchivedEvents(database, chainId, `0x${'ab'.repeat(8)}`, lines)
    },
  ],
  sample(3),
  sample(0),
  pools(1),
  pools(2),
]

function placeWithQuote(database: Database, chainId: number): Promise<unknown> {
  return insertQuote(database, quote(chainId)).then((quoteId) =>
    insertOrder(database, buildOrder(chainId, 1, { quoteId, referrerCode: 'CODE' })),
  )
}

function quote(chainId: number): NewQuote {
  return {
    chainId,
    sellToken,
    buyToken,
    sellAmount: 1_000n,
    buyAmount: 2_050n,
    kind: 'sell',
    quoteKind: 'standard',
    gasAmount: 100n,
    gasPrice: 1n,
    sellTokenPrice: 1,
    feeAmount: 1n,
    solver,
    verified: true,
    metadata: {},
    elapsedMs: 5,
    expiresAt: new Date((genesis + 86_400) * 1_000),
  }
}

/**
 * Rows of another network only: orders, one of them inserted by a settlement of the history, an earlier invalidation
 * and a refund.
 */
export const otherHistory: readonly HistoryStep[] = [
  ...[20, 50, 51].map((seed) => place(seed)),
  index('indexes an invalidation and a refund', [100, 100], () => ({
    invalidations: [{ blockNumber: 100, logIndex: 0, owner, orderUid: uidOf(3), transactionHash: hashOf(7) }],
    onchainOrders: {
      ...noEvents.onchainOrders,
      refunds: [{ blockNumber: 100, logIndex: 1, contract: owner, orderUid: uidOf(31), transactionHash: hashOf(8) }],
    },
  })),
]
