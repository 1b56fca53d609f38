import type { Database } from '#schema/client.ts'
import { selectAffiliateStatistics, selectTraderStatistics } from '#schema/queries/affiliate/affiliateStatistics.ts'
import { selectAffiliate, selectAffiliateByCode } from '#schema/queries/affiliate/affiliates.ts'
import { selectTraderActivity } from '#schema/queries/affiliate/selectTraderActivity.ts'
import { selectArchivableCompetitions } from '#schema/queries/auctions/archivedCompetitions.ts'
import { selectCurrentAuction } from '#schema/queries/auctions/currentAuction.ts'
import { selectCancelledUids, selectListedUids } from '#schema/queries/auctions/listedOrders.ts'
import { selectCandidates } from '#schema/queries/auctions/selectCandidates.ts'
import { selectAuctionsWonWith, selectWinningSolutions } from '#schema/queries/auctions/solutions.ts'
import {
  selectLatestAuctionId,
  selectSettledAuctionId,
  selectSolverCompetition,
} from '#schema/queries/auctions/solverCompetition.ts'
import { selectBlocks } from '#schema/queries/chain/blocks.ts'
import { selectPlacementReferences } from '#schema/queries/chain/selectPlacementReferences.ts'
import { selectDebugReport } from '#schema/queries/debug/debugReport.ts'
import { selectDryRunFacts, selectStoredDryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { selectArchivableEvents } from '#schema/queries/events/archivedEvents.ts'
import { selectIsOrder, selectLogHorizon, selectNewOrderEvents } from '#schema/queries/events/newOrderEvents.ts'
import { selectOrderProgress } from '#schema/queries/events/orderEvents.ts'
import { selectMissedOrderEvents } from '#schema/queries/events/selectMissedOrderEvents.ts'
import { selectAccountStatistics } from '#schema/queries/explorer/accountStatistics.ts'
import { selectTradeCandles } from '#schema/queries/explorer/candles.ts'
import { selectNetworkAuctions } from '#schema/queries/explorer/networkAuctions.ts'
import { selectNetworkOrders } from '#schema/queries/explorer/networkOrders.ts'
import { selectNetworkStatistics } from '#schema/queries/explorer/networkStatistics.ts'
import { selectNetworkTrades } from '#schema/queries/explorer/networkTrades.ts'
import { selectSolverStatistics } from '#schema/queries/explorer/solverStatistics.ts'
import { selectPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { selectAverageAprs, selectYieldPools } from '#schema/queries/markets/yieldPools.ts'
import { selectChatAccounts } from '#schema/queries/notifications/chatLinks.ts'
import { selectUnconfirmed } from '#schema/queries/notifications/confirmSubscription.ts'
import { selectNotifications } from '#schema/queries/notifications/selectNotifications.ts'
import { selectSubscriptions } from '#schema/queries/notifications/subscriptions.ts'
import { selectSubscription } from '#schema/queries/notifications/subscriptionTargets.ts'
import { selectAccountOrders } from '#schema/queries/orders/accountOrders.ts'
import { selectAppData } from '#schema/queries/orders/appData.ts'
import { selectCancellationFacts } from '#schema/queries/orders/cancellations.ts'
import { selectOrder, selectOrders, selectTransactionOrders } from '#schema/queries/orders/orders.ts'
import { selectPlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import { selectRefundableOrders } from '#schema/queries/orders/refundableOrders.ts'
import { selectNewestQuote } from '#schema/queries/quotes/quotes.ts'
import { selectSettlementFailures } from '#schema/queries/settlements/selectSettlementFailures.ts'
import { selectParticipation } from '#schema/queries/settlements/solverSuspensions.ts'
import { selectTotalSurplus } from '#schema/queries/settlements/totalSurplus.ts'
import { selectTrades } from '#schema/queries/settlements/trades.ts'
import { selectCurrentStatus } from '#schema/queries/status/selectCurrentStatus.ts'
import { selectOldestUndelivered } from '#schema/queries/status/selectOldestUndelivered.ts'
import { selectRecentStatus } from '#schema/queries/status/selectRecentStatus.ts'
import { selectSuspensions } from '#schema/queries/status/selectSuspensions.ts'
import { selectPopularTokens } from '#schema/queries/tokens/popularTokens.ts'
import { selectTokenMetadata } from '#schema/queries/tokens/tokenMetadata.ts'
import { selectTokens } from '#schema/queries/tokens/tokens.ts'
import { selectTradedTokens } from '#schema/queries/tokens/tradedTokens.ts'
import { maxOffset } from '#shared/api/maxOffset.ts'
import { networks } from '#shared/networks.ts'
import { countOpen } from '#tools/bench/history/countOpen.ts'
import type { History } from '#tools/bench/history/insertHistory.ts'
import { newOrder } from '../newOrder.ts'

/** One call of a query on a long history. */
export type HistoryCall = {
  run: (database: Database, history: History) => PromiseLike<unknown>
  /** rows that the call may read beside those that it returns or writes, when it reads a documented window or number of rows */
  reads?: (history: History) => number
}

const { wrappedNative } = networks.sepolia
const id = '00000000-0000-0000-0000-000000000000'
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const
const now = () => Math.floor(Date.now() / 1_000)
const daysOf = (days: number, perOrder: number) => (history: History) => (history.orders / 300) * days * perOrder
/** A trader's hours in the time for which its code counts. */
const hoursOfCode = 100 * 24
/** Every row of the whole list has been read when this many orders precede it. */
const page = { offset: 0, limit: 100 }
const deep = { offset: maxOffset, limit: 100 }
const middle = ({ orders }: History) => Math.floor(orders / 2 / 10) * 10
const auctionOf = (history: History) => middle(history) / 10
/** its auction is archived */
const archived = (history: History) => middle(history) - 100
const limits = { events: 100, scanned: 1_000 }
const oldest = { writtenBy: 0n, id: 0 }

/**
 * Every exported query that reads, with the worst arguments that a request may give: the account with a tenth of all orders, the
 * pair with half of them, the last page that an offset reaches.
 */
export const historyReads: Record<string, HistoryCall[]> = {
  selectAccountOrders: [
    { run: (database, h) => selectAccountOrders(database, h.chainId, h.busyOwner, page) },
    { run: (database, h) => selectAccountOrders(database, h.chainId, h.onchainUser, page) },
    { run: (database, h) => selectAccountOrders(database, h.chainId, h.busyOwner, deep), reads: () => maxOffset * 2 },
    {
      run: (database, h) =>
        selectAccountOrders(database, h.chainId, h.busyOwner, { ...page, after: h.uidOf(middle(h)) }),
    },
  ],
  selectAccountStatistics: [
    {
      run: (database, h) =>
        selectAccountStatistics(database, { chainId: h.chainId, wrappedNative }, h.busyOwner, now()),
      reads: () => 40_000,
    },
  ],
  selectAffiliate: [{ run: (database, { busyOwner }) => selectAffiliate(database, busyOwner) }],
  selectAffiliateByCode: [{ run: (database) => selectAffiliateByCode(database, 'CODE') }],
  // the hours of the trader with most trades in the 100 days of its code, and a few look-ups for each other trader
  selectAffiliateStatistics: [
    {
      run: (database) => selectAffiliateStatistics(database, '0x0000000000000000000000000000000000000001'),
      reads: ({ orders }) => hoursOfCode + (orders / 1_000) * 15,
    },
  ],
  // the trades of the newest hours, which have no sums yet, are read one by one
  selectTraderActivity: [
    {
      run: (database, { busyOwner }) => selectTraderActivity(database, busyOwner),
      reads: (history) => hoursOfCode + 200 + daysOf(1 / 8, 1)(history),
    },
  ],
  selectTraderStatistics: [
    { run: (database, { busyOwner }) => selectTraderStatistics(database, busyOwner), reads: () => hoursOfCode },
  ],
  selectAppData: [{ run: (database) => selectAppData(database, hashOf(1)) }],
  selectArchivableCompetitions: [
    {
      run: (database, { chainId }) =>
        selectArchivableCompetitions(database, chainId, new Date(), { auctions: 64, bytes: 4e6 }),
      // solutions, orders and fee policies of ten orders in each
      reads: () => 64 * 40,
    },
  ],
  selectArchivableEvents: [
    {
      run: (database, { chainId }) =>
        selectArchivableEvents(database, chainId, new Date(), null, { scanned: 5_000, orders: 200, bytes: 1e6 }),
      // the three events of each order, three times
      reads: () => 200 * 3 * 3,
    },
  ],
  selectAuctionsWonWith: [
    { run: (database, h) => selectAuctionsWonWith(database, h.chainId, [h.uidOf(middle(h)), h.uidOf(middle(h) + 1)]) },
  ],
  selectAverageAprs: [{ run: (database, { chainId }) => selectAverageAprs(database, chainId) }],
  selectBlocks: [{ run: (database, { chainId }) => selectBlocks(database, chainId) }],
  selectCancellationFacts: [
    { run: (database, h) => selectCancellationFacts(database, h.chainId, [h.uidOf(middle(h)), h.uidOf(1)]) },
  ],
  selectCancelledUids: [{ run: (database, h) => selectCancelledUids(database, h.chainId, [h.uidOf(middle(h))]) }],
  selectCandidates: [{ run: (database, { chainId }) => selectCandidates(database, chainId, now(), 0) }],
  selectChatAccounts: [{ run: (database) => selectChatAccounts(database, '1') }],
  selectCurrentAuction: [
    {
      run: (database, { chainId }) => selectCurrentAuction(database, chainId),
      reads: ({ orders }) => countOpen(orders),
    },
  ],
  selectCurrentStatus: [
    {
      run: (database, { chainId }) => selectCurrentStatus(database, chainId),
      // beside the window of an hour the open orders and the suspensions of a day
      reads: (history) => countOpen(history.orders) + daysOf(1 / 24, 4)(history),
    },
  ],
  selectDebugReport: [
    { run: (database, h) => selectDebugReport(database, h.chainId, h.uidOf(middle(h))) },
    { run: (database, h) => selectDebugReport(database, h.chainId, h.uidOf(archived(h))) },
  ],
  selectDryRunFacts: [
    {
      run: (database, h) =>
        selectDryRunFacts(database, h.chainId, wrappedNative, {
          ...{ uid: h.uidOf(middle(h)), appDataHash: hashOf(1), quoteId: middle(h) },
          ...{ sellToken: h.sellToken, buyToken: h.buyToken },
        }),
    },
  ],
  selectIsOrder: [{ run: (database, h) => selectIsOrder(database, h.chainId, h.uidOf(middle(h))) }],
  selectLatestAuctionId: [
    { run: (database, { chainId }) => selectLatestAuctionId(database, chainId) },
    { run: (database, { chainId }) => selectLatestAuctionId(database, chainId, true) },
  ],
  selectListedUids: [{ run: (database, h) => selectListedUids(database, h.chainId, [h.uidOf(middle(h))]) }],
  selectLogHorizon: [{ run: (database) => selectLogHorizon(database) }],
  selectMissedOrderEvents: [
    {
      run: (database, h) => selectMissedOrderEvents(database, h.chainId, { account: h.busyOwner }, oldest, limits),
      reads: () => 4_000,
    },
    {
      run: (database, h) =>
        selectMissedOrderEvents(database, h.chainId, { orderUid: h.uidOf(middle(h)) }, oldest, limits),
    },
  ],
  selectNetworkAuctions: [
    { run: (database, { chainId }) => selectNetworkAuctions(database, chainId, { limit: 100 }) },
    {
      run: (database, h) =>
        selectNetworkAuctions(database, h.chainId, { limit: 100, before: auctionOf(h), onlyPast: true }),
    },
  ],
  selectNetworkOrders: [
    { run: (database, h) => selectNetworkOrders(database, h.chainId, {}, { limit: 100, now: now() }) },
    {
      run: (database, h) =>
        selectNetworkOrders(
          database,
          h.chainId,
          { owner: h.busyOwner },
          { limit: 100, now: now(), after: h.uidOf(middle(h)) },
        ),
    },
    {
      run: (database, h) =>
        selectNetworkOrders(
          database,
          h.chainId,
          { status: 'cancelled', token: h.buyToken, kind: 'buy' },
          { limit: 100, now: now(), after: h.uidOf(middle(h)) },
        ),
      reads: () => 2_200,
    },
  ],
  selectNetworkStatistics: [
    {
      run: (database, { chainId }) => selectNetworkStatistics(database, { chainId, wrappedNative }),
      reads: daysOf(7, 4),
    },
  ],
  selectNetworkTrades: [
    { run: (database, h) => selectNetworkTrades(database, h.chainId, {}, { limit: 100 }) },
    {
      run: (database, h) =>
        selectNetworkTrades(
          database,
          h.chainId,
          { owner: h.busyOwner, pair: [h.sellToken, h.buyToken] },
          { limit: 100, after: { blockNumber: middle(h), logIndex: 0 } },
        ),
      reads: () => 2_200,
    },
  ],
  selectNewOrderEvents: [
    {
      run: (database, h) => selectNewOrderEvents(database, h.chainId, oldest, 200),
      reads: () => 400,
    },
  ],
  selectNewestQuote: [{ run: (database, h) => selectNewestQuote(database, h) }],
  selectNotifications: [
    { run: (database, { busyOwner }) => selectNotifications(database, busyOwner, { limit: 100 }) },
    {
      run: (database, { busyOwner, chainId }) =>
        selectNotifications(database, busyOwner, {
          limit: 100,
          types: ['order_filled', 'order_expired'],
          chainIds: [chainId],
        }),
    },
  ],
  selectOrder: [{ run: (database, h) => selectOrder(database, h.chainId, h.uidOf(middle(h))) }],
  selectOrderProgress: [
    { run: (database, h) => selectOrderProgress(database, h.chainId, h.uidOf(middle(h))) },
    { run: (database, h) => selectOrderProgress(database, h.chainId, h.uidOf(archived(h))) },
    // lost in every archived auction
    { run: (database, h) => selectOrderProgress(database, h.chainId, h.uidOf(9)) },
  ],
  selectOrders: [
    {
      run: (database, h) =>
        selectOrders(
          database,
          h.chainId,
          Array.from({ length: 128 }, (_, i) => h.uidOf(1 + i * Math.floor(h.orders / 128))),
        ),
    },
  ],
  selectParticipation: [
    { run: (database, { chainId, solver }) => selectParticipation(database, chainId, [solver]), reads: () => 500 },
  ],
  selectPlacementFacts: [
    {
      run: (database, h) =>
        selectPlacementFacts(
          database,
          h.chainId,
          {
            ...newOrder(1, { chainId: h.chainId, sellToken: h.sellToken, buyToken: h.buyToken }),
            quoteId: middle(h),
          },
          now(),
        ),
    },
  ],
  selectPlacementReferences: [
    {
      run: (database, h) =>
        selectPlacementReferences(database, h.chainId, { hashes: [hashOf(1)], quoteIds: [1, middle(h)] }),
    },
  ],
  selectPopularTokens: [
    { run: (database, { chainId }) => selectPopularTokens(database, chainId, 10), reads: () => 20_000 },
  ],
  selectPriceSamples: [
    {
      run: (database, h) => selectPriceSamples(database, h.chainId, [h.sellToken, h.buyToken], now() - 86_400),
      reads: daysOf(1, 2),
    },
  ],
  selectRecentStatus: [{ run: (database, { chainId }) => selectRecentStatus(database, chainId), reads: daysOf(1, 8) }],
  selectSettledAuctionId: [
    { run: (database, h) => selectSettledAuctionId(database, h.chainId, hashOf(middle(h) + 1)) },
  ],
  selectRefundableOrders: [
    {
      run: (database, h) =>
        selectRefundableOrders(
          database,
          { chainId: h.chainId, ethFlow: h.busyOwner },
          { from: now() - 86_400, before: now(), limit: 100, after: undefined },
        ),
    },
  ],
  selectSettlementFailures: [
    { run: (database, { chainId }) => selectSettlementFailures(database, chainId) },
    { run: (database, h) => selectSettlementFailures(database, h.chainId, h.uidOf(middle(h))) },
  ],
  selectSolverCompetition: [
    { run: (database, h) => selectSolverCompetition(database, h.chainId, auctionOf(h)) },
    { run: (database, h) => selectSolverCompetition(database, h.chainId, auctionOf(h), true) },
  ],
  selectSolverStatistics: [
    { run: (database, { chainId }) => selectSolverStatistics(database, chainId), reads: daysOf(7, 4) },
  ],
  selectStoredDryRunFacts: [
    {
      run: (database, h) => selectStoredDryRunFacts(database, h.chainId, wrappedNative, h.uidOf(middle(h))),
    },
  ],
  selectSubscription: [{ run: (database) => selectSubscription(database, id) }],
  selectSubscriptions: [
    { run: (database, { busyOwner }) => selectSubscriptions(database, { account: busyOwner, signerChainId: 0 }) },
  ],
  selectOldestUndelivered: [
    {
      run: (database, { chainId }) => selectOldestUndelivered(database, chainId),
      // two hundred deliveries with their notifications, and fifty new notifications
      reads: () => 450,
    },
  ],
  selectSuspensions: [{ run: (database, { chainId }) => selectSuspensions(database, chainId) }],
  selectTokenMetadata: [{ run: (database, h) => selectTokenMetadata(database, h.chainId, h.sellToken) }],
  selectTokens: [{ run: (database, h) => selectTokens(database, [{ chainId: h.chainId, address: h.sellToken }]) }],
  // the trades of the newest 64 blocks are not in the stored sum
  selectTotalSurplus: [
    { run: (database, h) => selectTotalSurplus(database, h.chainId, h.busyOwner), reads: () => 64 },
    { run: (database, h) => selectTotalSurplus(database, h.chainId, h.onchainUser), reads: () => 64 },
  ],
  selectTradeCandles: [
    {
      run: (database, h) =>
        selectTradeCandles(database, h.chainId, {
          ...{ base: [h.sellToken], quote: [h.buyToken] },
          ...{ interval: 300, since: now() - 86_400 },
        }),
      reads: daysOf(1, 2),
    },
  ],
  selectTradedTokens: [
    {
      run: (database, { chainId }) => selectTradedTokens(database, chainId, now()),
      reads: ({ orders }) => 20_000 + countOpen(orders),
    },
  ],
  selectTrades: [
    // each order is looked up once more before the page is cut
    { run: (database, h) => selectTrades(database, h.chainId, { owner: h.busyOwner }, page), reads: () => page.limit },
    {
      run: (database, h) => selectTrades(database, h.chainId, { owner: h.onchainUser }, page),
      reads: () => page.limit,
    },
    { run: (database, h) => selectTrades(database, h.chainId, { owner: h.busyOwner }, deep), reads: () => maxOffset },
    { run: (database, h) => selectTrades(database, h.chainId, { orderUid: h.uidOf(middle(h)) }, page) },
  ],
  selectTransactionOrders: [
    { run: (database, h) => selectTransactionOrders(database, h.chainId, hashOf(middle(h) + 1)) },
  ],
  selectUnconfirmed: [{ run: (database) => selectUnconfirmed(database, 'token') }],
  selectWinningSolutions: [
    { run: (database, h) => selectWinningSolutions(database, h.chainId, [auctionOf(h)], middle(h)), reads: () => 100 },
  ],
  selectYieldPools: [{ run: (database, { chainId }) => selectYieldPools(database, chainId, [], 10) }],
}
