import type { Database } from '#schema/client.ts'
import { selectNewestSample, selectSamplesToCarry } from '#schema/queries/affiliate/carriedSamples.ts'
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
import { selectIsOrder, selectNewOrderEvents } from '#schema/queries/events/newOrderEvents.ts'
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
import { selectAccountOrders } from '#schema/queries/orders/accountOrders.ts'
import { selectCancellationFacts } from '#schema/queries/orders/cancellations.ts'
import { selectOrder, selectOrders, selectTransactionOrders } from '#schema/queries/orders/orders.ts'
import { selectPlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import { lockReplaced } from '#schema/queries/orders/replacement.ts'
import { selectNewestQuote } from '#schema/queries/quotes/quotes.ts'
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
import { networks } from '#shared/networks.ts'
import { buyToken, genesis, hashOf, onchainUser, owner, placedUid, sellToken, solver, uidOf } from './networkEvents.ts'
import { documentHash, newOrder } from './newOrder.ts'

const { chainId, wrappedNative } = networks.sepolia
const page = { offset: 0, limit: 50 }
const start = { writtenBy: 0n, id: 0 }
const limits = { events: 100, scanned: 1_000 }
const pair = { sellToken, buyToken }
const past = genesis - 100 * 86_400

/** Every query that reads rows of a network, by name. */
export const networkReads: Record<string, (database: Database) => PromiseLike<unknown>> = {
  selectBlocks: (database) => selectBlocks(database, chainId),
  selectCancellationFacts: (database) => selectCancellationFacts(database, chainId, [uidOf(2), uidOf(7)]),
  selectCurrentAuction: (database) => selectCurrentAuction(database, chainId),
  selectDebugReport: (database) => selectDebugReport(database, chainId, uidOf(1)),
  selectDryRunFacts: (database) =>
    selectDryRunFacts(database, chainId, wrappedNative, {
      ...{ uid: uidOf(1), appDataHash: documentHash, quoteId: 1 },
      ...pair,
    }),
  selectStoredDryRunFacts: (database) => selectStoredDryRunFacts(database, chainId, wrappedNative, uidOf(1)),
  selectListedUids: (database) => selectListedUids(database, chainId, [uidOf(1), uidOf(20), uidOf(99)]),
  selectCancelledUids: (database) => selectCancelledUids(database, chainId, [uidOf(7), uidOf(2)]),
  selectCurrentStatus: (database) => selectCurrentStatus(database, chainId),
  selectOldestUndelivered: async (database) => ({
    oldestUndeliveredSeconds: await selectOldestUndelivered(database, chainId),
  }),
  selectSuspensions: (database) => selectSuspensions(database, chainId),
  selectRecentStatus: (database) => selectRecentStatus(database, chainId),
  selectNewOrderEvents: (database) => selectNewOrderEvents(database, chainId, start, 1_000),
  selectMissedOrderEvents: async (database) => [
    await selectMissedOrderEvents(database, chainId, { orderUid: uidOf(1) }, undefined, limits),
    await selectMissedOrderEvents(database, chainId, { account: owner }, start, limits),
    await selectMissedOrderEvents(database, chainId, { account: onchainUser }, start, limits),
  ],
  selectIsOrder: (database) => selectIsOrder(database, chainId, uidOf(1)),
  selectPlacementReferences: (database) =>
    selectPlacementReferences(database, chainId, { hashes: [documentHash], quoteIds: [1, 2, 3, 4] }),
  selectOrderProgress: (database) => selectOrderProgress(database, chainId, uidOf(1)),
  selectOrder: (database) => selectOrder(database, chainId, uidOf(1)),
  selectOrders: (database) => selectOrders(database, chainId, [uidOf(1), uidOf(2), placedUid]),
  selectAccountOrders: async (database) => [
    await selectAccountOrders(database, chainId, owner, page),
    await selectAccountOrders(database, chainId, onchainUser, page),
    await selectAccountOrders(database, chainId, owner, { ...page, signed: true }),
    await selectAccountOrders(database, chainId, owner, { ...page, signed: false }),
    await selectAccountOrders(database, chainId, owner, { ...page, after: uidOf(7) }),
  ],
  selectTransactionOrders: (database) => selectTransactionOrders(database, chainId, hashOf(101)),
  selectPlacementFacts: (database) =>
    selectPlacementFacts(database, chainId, { ...newOrder(1), sellAmount: 1_000n, quoteId: null }, genesis),
  selectPopularTokens: (database) => selectPopularTokens(database, chainId, 10),
  selectNewestQuote: (database) => selectNewestQuote(database, { chainId, ...pair }),
  selectNewestSample: (database) => selectNewestSample(database, chainId),
  selectSamplesToCarry: (database) => selectSamplesToCarry(database, chainId, { after: null, limit: 100 }),
  selectPriceSamples: (database) => selectPriceSamples(database, chainId, [wrappedNative, buyToken], past),
  lockReplaced: (database) => lockReplaced(database, chainId, uidOf(1)),
  selectArchivableCompetitions: (database) =>
    selectArchivableCompetitions(database, chainId, new Date(Date.now() + 86_400_000), { auctions: 9, bytes: 1e6 }),
  selectArchivableEvents: (database) =>
    selectArchivableEvents(database, chainId, new Date(Date.now() + 86_400_000), null, {
      scanned: 99,
      orders: 99,
      bytes: 1e6,
    }),
  selectAuctionsWonWith: (database) => selectAuctionsWonWith(database, chainId, [uidOf(1), uidOf(2)]),
  selectWinningSolutions: (database) => selectWinningSolutions(database, chainId, [1, 2, 3], 101),
  selectCandidates: (database) => selectCandidates(database, chainId, genesis, 0),
  selectLatestAuctionId: async (database) => [
    await selectLatestAuctionId(database, chainId),
    await selectLatestAuctionId(database, chainId, true),
  ],
  selectSettledAuctionId: (database) => selectSettledAuctionId(database, chainId, hashOf(101)),
  selectSolverCompetition: async (database) => [
    await selectSolverCompetition(database, chainId, 1),
    await selectSolverCompetition(database, chainId, 1, true),
  ],
  selectParticipation: (database) => selectParticipation(database, chainId, [solver]),
  selectTokenMetadata: async (database) => [
    await selectTokenMetadata(database, chainId, sellToken),
    await selectTokenMetadata(database, chainId, buyToken),
  ],
  selectTokens: (database) => selectTokens(database, [{ chainId, address: sellToken }]),
  selectTotalSurplus: async (database) => [
    await selectTotalSurplus(database, chainId, owner),
    await selectTotalSurplus(database, chainId, onchainUser),
  ],
  selectTradedTokens: (database) => selectTradedTokens(database, chainId, genesis),
  selectTrades: async (database) => [
    await selectTrades(database, chainId, { owner }, page),
    await selectTrades(database, chainId, { owner: onchainUser }, page),
    await selectTrades(database, chainId, { orderUid: uidOf(1) }, page),
  ],
  selectNetworkOrders: async (database) => {
    const list = { limit: 3, now: genesis }
    return [
      await selectNetworkOrders(database, chainId, {}, list),
      await selectNetworkOrders(database, chainId, { owner }, list),
      await selectNetworkOrders(database, chainId, { token: sellToken, kind: 'sell' }, list),
      await selectNetworkOrders(database, chainId, { status: 'open' }, { ...list, after: uidOf(9) }),
    ]
  },
  selectNetworkTrades: async (database) => [
    await selectNetworkTrades(database, chainId, {}, { limit: 3 }),
    await selectNetworkTrades(database, chainId, { pair: [sellToken, buyToken], owner }, { limit: 3 }),
    await selectNetworkTrades(
      database,
      chainId,
      { token: buyToken },
      { limit: 3, after: { blockNumber: 200, logIndex: 0 } },
    ),
  ],
  selectTradeCandles: (database) =>
    selectTradeCandles(database, chainId, {
      base: [sellToken],
      quote: [buyToken],
      interval: 300,
      since: genesis - 300,
    }),
  selectNetworkAuctions: async (database) => [
    await selectNetworkAuctions(database, chainId, { limit: 2 }),
    await selectNetworkAuctions(database, chainId, { limit: 9, before: 3, onlyPast: true }),
  ],
  selectAccountStatistics: async (database) => [
    await selectAccountStatistics(database, { chainId, wrappedNative }, owner, 0),
    await selectAccountStatistics(database, { chainId, wrappedNative }, onchainUser, 0),
  ],
  selectNetworkStatistics: (database) => selectNetworkStatistics(database, { chainId, wrappedNative }),
  selectSolverStatistics: (database) => selectSolverStatistics(database, chainId),
  selectYieldPools: (database) => selectYieldPools(database, chainId, [], 10),
  selectAverageAprs: (database) => selectAverageAprs(database, chainId),
}
