import type { Address, Hex } from 'viem'
import { insertAffiliate } from '#schema/queries/affiliate/affiliates.ts'
import {
  insertCarriedSamples,
  selectNewestSample,
  selectSamplesToCarry,
} from '#schema/queries/affiliate/carriedSamples.ts'
import { insertCarriedTrades, selectTradesToCarry } from '#schema/queries/affiliate/carriedTrades.ts'
import { deleteReferredHoursFrom, insertReferredHours } from '#schema/queries/affiliate/referredHours.ts'
import { sumReferredHours } from '#schema/queries/affiliate/sumReferredHours.ts'
import { lowerTradeCarry, markTradesCarried } from '#schema/queries/affiliate/tradeCarries.ts'
import { deleteOldAlerts, markAlertFailed, markAlertSent, takeDueAlerts } from '#schema/queries/alarms/alertOutbox.ts'
import { recordAlarms } from '#schema/queries/alarms/recordAlarms.ts'
import { selectArchivableCompetitions } from '#schema/queries/auctions/archivedCompetitions.ts'
import { insertAuction, insertCompetition, nextAuctionId } from '#schema/queries/auctions/auctions.ts'
import { updateAvailableBalances } from '#schema/queries/auctions/availableBalances.ts'
import { deleteArchivedCompetitions } from '#schema/queries/auctions/deleteArchivedCompetitions.ts'
import { insertFeePolicies } from '#schema/queries/auctions/feePolicies.ts'
import { insertSolutionOrders } from '#schema/queries/auctions/solutionOrders.ts'
import { deleteBlocksFrom, deleteOldBlocks, insertBlocks, keptBlocks } from '#schema/queries/chain/blocks.ts'
import { type ChainUpdate, noEvents } from '#schema/queries/chain/chainUpdate.ts'
import { insertPlacedEvents } from '#schema/queries/chain/insertPlacedEvents.ts'
import { updateChain } from '#schema/queries/chain/updateChain.ts'
import { selectArchivableEvents } from '#schema/queries/events/archivedEvents.ts'
import { deleteArchivedEvents } from '#schema/queries/events/deleteArchivedEvents.ts'
import { insertTransitions } from '#schema/queries/events/orderTransitions.ts'
import { insertPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { replaceYieldPools } from '#schema/queries/markets/yieldPools.ts'
import { markCarried, selectUndispatched, upsertCarried } from '#schema/queries/notifications/carriedNotifications.ts'
import { deleteOwnSubscription, useSubscription } from '#schema/queries/notifications/changeSubscription.ts'
import { unlinkChat } from '#schema/queries/notifications/chatLinks.ts'
import { confirmSubscription } from '#schema/queries/notifications/confirmSubscription.ts'
import { deleteOldNotifications } from '#schema/queries/notifications/deleteOldNotifications.ts'
import { deleteOldDeliveries, replayDeliveries, takeDueDeliveries } from '#schema/queries/notifications/deliveries.ts'
import { claimDelivery, markDelivered, markFailed } from '#schema/queries/notifications/deliveryAttempts.ts'
import { dispatchNotifications } from '#schema/queries/notifications/dispatchNotifications.ts'
import type { Notification } from '#schema/queries/notifications/notifications.ts'
import { retractNotifications } from '#schema/queries/notifications/retractNotifications.ts'
import { deleteExpiredNonces, takeMailSlot } from '#schema/queries/notifications/signedNonces.ts'
import { linkChat, unsubscribe } from '#schema/queries/notifications/subscriptionLinks.ts'
import { deleteStaleSubscriptions } from '#schema/queries/notifications/subscriptions.ts'
import { confirmTarget } from '#schema/queries/notifications/subscriptionTargets.ts'
import { upsertSubscription } from '#schema/queries/notifications/upsertSubscription.ts'
import { insertAppData } from '#schema/queries/orders/appData.ts'
import { updateCancelledOrders } from '#schema/queries/orders/cancellations.ts'
import { recomputeOrders } from '#schema/queries/orders/executedOrders.ts'
import { lockBounds, toHolder } from '#schema/queries/orders/orderBounds.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { lockReplaced } from '#schema/queries/orders/replacement.ts'
import { deleteStaleCopies } from '#schema/queries/quotes/quoteCopies.ts'
import { deleteOldQuotes, insertQuote } from '#schema/queries/quotes/quotes.ts'
import { advanceAccountSurplus, deleteAccountSurplusFrom } from '#schema/queries/settlements/accountSurplus.ts'
import {
  closeFailedAttempt,
  closeOverdueAttempts,
  closeSettledAttempts,
  reopenAttempts,
} from '#schema/queries/settlements/settlementAttempts.ts'
import {
  closeAttemptsAsFailed,
  deleteResolvedFailures,
  lowerFailureBlocks,
} from '#schema/queries/settlements/settlementFailures.ts'
import { insertSuspension } from '#schema/queries/settlements/solverSuspensions.ts'
import { insertTradeValues } from '#schema/queries/settlements/tradeValues.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { insertTokens } from '#schema/queries/tokens/tokens.ts'
import { networks } from '#shared/networks.ts'
import { countOpen, runningAuction, tipOf } from '#tools/bench/history/countOpen.ts'
import { type History, subscribers } from '#tools/bench/history/insertHistory.ts'
import { newNotification, newSubscription } from '../newNotification.ts'
import { newOrder } from '../newOrder.ts'
import { newAffiliate } from '../referredTrade.ts'
import type { HistoryCall } from './historyReads.ts'

const { wrappedNative } = networks.sepolia
const dayMs = 86_400_000
const now = () => Math.floor(Date.now() / 1_000)
const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const subscriptionOf = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`
const accountOf = (number: number): Address => `0x${((number % 20_011) + 65_536).toString(16).padStart(40, '0')}`
/** The first subscription without confirmation, and the newest one. */
const unconfirmed = 20
const newestUnconfirmed = ({ orders }: History) => Math.floor(subscribers(orders) / 20) * 20
const tip = ({ orders }: History) => tipOf(orders)
const lookFrom = (history: History) => tip(history) - keptBlocks + 1
/** An open order in the middle of the newest ones. */
const openUid = (history: History, place = 0) => history.uidOf(tip(history) + 1 + place)
const nonceOf = (account: Address) => ({
  ...{ account, signerChainId: 0, nonce: hashOf(7) },
  deadline: new Date(Date.now() + dayMs),
})
/** The id of a pending delivery: four of five orders have a notification, every tenth of these a delivery. */
const pendingDelivery = (history: History) => Math.floor((tip(history) * 4) / 50)
const lease = () => ({ leaseMs: 1_000, now: new Date() })
/** A block holds an event of each kind; the rows of each are looked up in five tables. */
const readsOfBlocks = (blocks: number) => blocks * 40

const update = (history: History, changes: Partial<ChainUpdate> = {}): ChainUpdate => ({
  ...noEvents,
  ...{ fromBlock: tip(history), toBlock: tip(history), undoFrom: null },
  blocks: [{ number: tip(history), hash: hashOf(tip(history)), timestamp: new Date() }],
  ...changes,
})

const listed = (history: History, from: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({ uid: openUid(history, from + place), body: '{}' }))

const solutionOrder = (history: History) => ({
  ...{ solutionUid: 0, orderUid: openUid(history), side: 'sell' as const },
  ...{ sellToken: history.sellToken, buyToken: history.buyToken },
  ...{ limitSell: 1n, limitBuy: 1n, executedSell: 1n, executedBuy: 1n },
})

const carriedNotifications = Array.from({ length: 100 }, (_, seed) => ({
  blockNumber: null,
  createdAt: new Date(),
  retractedAt: null,
  ...newNotification(seed),
  id: seed + 1,
  revision: 1,
  dispatchedRevision: 0,
})) as Notification[]

/**
 * Every exported query that writes or locks, on the newest rows of a long history, or with the arguments that touch most of it.
 */
export const historyWrites: Record<string, HistoryCall[]> = {
  advanceAccountSurplus: [
    {
      run: (database, h) => advanceAccountSurplus(database, h.chainId, tip(h) - keptBlocks + 1, tip(h)),
      reads: () => keptBlocks * 6,
    },
  ],
  checkDatabase: [{ run: checkDatabase }],
  claimDelivery: [{ run: (database, h) => claimDelivery(database, { id: pendingDelivery(h), attempt: 2 }, lease()) }],
  closeAttemptsAsFailed: [
    {
      run: (database, h) =>
        closeAttemptsAsFailed(database, h.chainId, undefined, { outcome: 'timeout', block: tip(h) }),
    },
  ],
  closeFailedAttempt: [
    {
      run: (database, h) =>
        closeFailedAttempt(
          database,
          { chainId: h.chainId, auctionId: runningAuction(h.orders), solutionUid: 0 },
          { cause: 'reverted', block: tip(h) },
        ),
    },
  ],
  closeOverdueAttempts: [{ run: (database, h) => closeOverdueAttempts(database, h.chainId, tip(h)) }],
  closeSettledAttempts: [
    { run: (database, h) => closeSettledAttempts(database, h.chainId, lookFrom(h)), reads: () => keptBlocks * 2 },
  ],
  confirmSubscription: [{ run: (database, h) => confirmSubscription(database, `confirm ${newestUnconfirmed(h)}`) }],
  confirmTarget: [{ run: (database) => confirmTarget(database, subscriptionOf(unconfirmed), new Date()) }],
  deleteAccountSurplusFrom: [{ run: (database, h) => deleteAccountSurplusFrom(database, h.chainId, tip(h) - 100) }],
  deleteArchivedCompetitions: [
    {
      run: async (database, { chainId }) => {
        const lines = await selectArchivableCompetitions(database, chainId, new Date(), { auctions: 64, bytes: 4e6 })
        return deleteArchivedCompetitions(database, chainId, 'key', lines)
      },
      // reads each competition twice: solutions, orders and fee policies of ten orders in each
      reads: () => 64 * 80,
    },
  ],
  deleteArchivedEvents: [
    {
      run: async (database, { chainId }) => {
        const limits = { scanned: 5_000, orders: 200, bytes: 1e6 }
        const { lines } = await selectArchivableEvents(database, chainId, new Date(), null, limits)
        return deleteArchivedEvents(database, chainId, `0x${'ab'.repeat(8)}`, lines)
      },
      // reads the three events of each order six times
      reads: () => 200 * 3 * 6,
    },
  ],
  deleteBlocksFrom: [{ run: (database, h) => deleteBlocksFrom(database, h.chainId, h.orders - 10) }],
  deleteExpiredNonces: [{ run: (database) => deleteExpiredNonces(database) }],
  deleteOldAlerts: [{ run: (database) => deleteOldAlerts(database, new Date()) }],
  deleteOldBlocks: [{ run: (database, h) => deleteOldBlocks(database, h.chainId, h.orders + 1) }],
  deleteOldDeliveries: [
    { run: (database) => deleteOldDeliveries(database, new Date(Date.now() - 90 * dayMs), 1_000), reads: () => 1_000 },
  ],
  deleteOldNotifications: [
    {
      run: (database) => deleteOldNotifications(database, new Date(Date.now() - 90 * dayMs), 1_000),
      reads: () => 1_000,
    },
  ],
  deleteOldQuotes: [
    {
      run: (database, h) => deleteOldQuotes(database, h.chainId, new Date(Date.now() - dayMs), 1_000),
      reads: () => 1_000,
    },
  ],
  deleteOwnSubscription: [
    { run: (database) => deleteOwnSubscription(database, nonceOf(accountOf(9)), subscriptionOf(9)), reads: () => 200 },
  ],
  deleteReferredHoursFrom: [{ run: (database, h) => deleteReferredHoursFrom(database, h.chainId, tip(h) - 100) }],
  deleteResolvedFailures: [
    {
      run: (database, h) => deleteResolvedFailures(database, h.chainId, lookFrom(h), h.orders),
      // the failures of open orders: each with its order and its trades
      reads: ({ orders }) => Math.ceil(countOpen(orders) / 10) * 3,
    },
  ],
  deleteStaleCopies: [
    { run: (database, h) => deleteStaleCopies(database, h.chainId, [openUid(h), openUid(h, 1)]), reads: () => 4 },
  ],
  // unconfirmed subscriptions are deleted each hour: here all of the history's are left
  deleteStaleSubscriptions: [{ run: (database) => deleteStaleSubscriptions(database) }],
  dispatchNotifications: [
    {
      run: (database) => dispatchNotifications(database, { limit: 100, now: new Date(), since: new Date(0) }),
      reads: () => 300,
    },
  ],
  insertAffiliate: [{ run: (database) => insertAffiliate(database, newAffiliate('OTHER')) }],
  insertAppData: [
    { run: (database) => insertAppData(database, hashOf(1), '{}') },
    { run: (database) => insertAppData(database, hashOf(2), '{}') },
  ],
  insertAuction: [
    {
      run: (database, h) =>
        insertAuction(database, h.chainId, {
          ...{ id: h.orders, block: h.orders, prices: {} },
          transitions: listed(h, 0, 20).map(({ uid }) => ({ uid, label: 'filtered', reason: 'too_far_from_market' })),
          ...{ entered: listed(h, 0, 20), changed: listed(h, 20, 20) },
          left: listed(h, 40, 20).map(({ uid }) => uid),
        }),
      reads: () => 200,
    },
  ],
  insertBlocks: [
    {
      run: (database, h) =>
        insertBlocks(database, h.chainId, [{ number: h.orders + 1, hash: hashOf(1), timestamp: new Date() }]),
    },
  ],
  insertCompetition: [
    {
      run: (database, h) => {
        const orderUid = openUid(h)
        return insertCompetition(database, h.chainId, {
          ...{
            auctionId: Math.floor(h.orders / 10) + 1,
            block: h.orders,
            startBlock: h.orders + 1,
            deadlineBlock: h.orders + 5,
          },
          ...{ orderCount: 1, prices: {}, winningOrders: [orderUid] },
          solutions: [
            {
              uid: 0,
              solutionId: 1,
              solver: h.solver,
              isWinner: true,
              filteredOut: false,
              score: 1n,
              referenceScore: 0n,
            },
          ],
          solutionOrders: [solutionOrder(h)],
          feePolicies: [{ orderUid, applicationOrder: 0, kind: 'volume', volumeFactor: 0.01 }],
          transitions: [{ uid: orderUid, label: 'executing', reason: null }],
        })
      },
    },
  ],
  insertFeePolicies: [
    {
      run: (database, h) =>
        insertFeePolicies(database, h.chainId, h.orders, [
          { orderUid: openUid(h), applicationOrder: 0, kind: 'volume', volumeFactor: 0.01 },
        ]),
    },
  ],
  insertOrder: [
    {
      run: (database, { chainId, busyOwner }) =>
        insertOrder(database, newOrder(1, { chainId, owner: busyOwner, class: 'limit' }), null, {
          ...{ now: now(), limitOrders: 10, openOrders: 1_000, unsignedOfClient: 10, unsignedOrders: 1_000 },
        }),
      reads: () => 1_000,
    },
    {
      run: (database, h) =>
        insertOrder(
          database,
          {
            ...newOrder(2, { chainId: h.chainId, owner: h.busyOwner, class: 'limit' }),
            ...{ sellToken: h.sellToken, buyToken: h.buyToken },
          },
          null,
          { now: now(), limitOrders: 1_000, openOrders: 1_000, unsignedOfClient: 10, unsignedOrders: 1_000 },
          { now: now(), maxGas: 10n ** 9n },
        ),
      reads: () => 2_000,
    },
  ],
  insertPlacedEvents: [
    { run: (database, h) => insertPlacedEvents(database, h.chainId, lookFrom(h)), reads: () => keptBlocks },
  ],
  insertPriceSamples: [
    {
      run: (database, h) =>
        insertPriceSamples(database, { chainId: h.chainId, wrappedNative }, [{ token: h.sellToken, price: 1 }], now()),
    },
  ],
  insertQuote: [
    {
      run: (database, h) =>
        insertQuote(database, {
          ...{ chainId: h.chainId, sellToken: h.sellToken, buyToken: h.buyToken, solver: h.solver },
          ...{ sellAmount: 1n, buyAmount: 1n, gasAmount: 1n, gasPrice: 1n, feeAmount: 1n, sellTokenPrice: 1 },
          ...{ kind: 'sell', quoteKind: 'standard', verified: true, metadata: {}, expiresAt: new Date() },
        }),
    },
  ],
  insertCarriedSamples: [{ run: (database, h) => insertCarriedSamples(database, h.chainId, '[]') }],
  insertCarriedTrades: [
    {
      run: async (database, h) =>
        insertCarriedTrades(database, h.chainId, await selectTradesToCarry(database, h.chainId, 500)),
      // the trades that are read, and those of an hour of each sum
      reads: ({ orders }) => 500 * 8 + Math.ceil(orders / 7_200) * 8,
    },
  ],
  insertReferredHours: [
    { run: (database, h) => insertReferredHours(database, h.chainId, lookFrom(h)), reads: () => keptBlocks * 4 },
  ],
  insertSolutionOrders: [
    { run: (database, h) => insertSolutionOrders(database, h.chainId, h.orders, [solutionOrder(h)]) },
  ],
  insertSuspension: [
    {
      run: (database, h) =>
        insertSuspension(database, {
          ...{ chainId: h.chainId, solver: h.solver, auctionId: h.orders, from: new Date(), until: new Date() },
          ...{ reason: 'timeout', failures: 3, level: 1 },
        }),
    },
  ],
  insertTokens: [
    {
      run: (database, h) =>
        insertTokens(database, [{ chainId: h.chainId, address: h.solver, decimals: 18, symbol: 'T' }]),
    },
  ],
  insertTradeValues: [
    { run: (database, h) => insertTradeValues(database, h.chainId, lookFrom(h)), reads: () => keptBlocks * 5 },
  ],
  insertTransitions: [
    {
      run: (database, h) =>
        insertTransitions(
          database,
          h.chainId,
          h.orders,
          listed(h, 0, 50).map(({ uid }) => ({ uid, label: 'considered', reason: null })),
        ),
      reads: () => 100,
    },
  ],
  linkChat: [{ run: (database, h) => linkChat(database, `confirm ${newestUnconfirmed(h)}`, 'another chat') }],
  lockBounds: [{ run: (database, h) => lockBounds(database, toHolder(newOrder(1, { chainId: h.chainId }))) }],
  lockReplaced: [{ run: (database, h) => lockReplaced(database, h.chainId, openUid(h)) }],
  lowerFailureBlocks: [{ run: (database, h) => lowerFailureBlocks(database, h.chainId, h.orders - 50) }],
  markAlertFailed: [{ run: (database) => markAlertFailed(database, { id: 1, attempts: 1 }, 'refused', new Date()) }],
  markAlertSent: [{ run: (database) => markAlertSent(database, 1, new Date()) }],
  lowerTradeCarry: [{ run: (database, h) => lowerTradeCarry(database, h.chainId, tip(h) - 9) }],
  markTradesCarried: [
    {
      run: (database, h) =>
        markTradesCarried(database, h.chainId, {
          ...{ block: 0, undone: 0, reach: 0, isLast: false, finalAt: null, trades: '[]' },
        }),
    },
  ],
  markCarried: [{ run: (database) => markCarried(database, carriedNotifications), reads: () => 100 }],
  markDelivered: [{ run: (database, h) => markDelivered(database, pendingDelivery(h), new Date()) }],
  markFailed: [
    {
      run: (database, h) =>
        markFailed(
          database,
          {
            id: pendingDelivery(h),
            attempt: 1,
            reason: 'refused',
            nextAttemptAt: null,
            isGone: false,
            isOurFault: false,
          },
          new Date(),
        ),
    },
  ],
  nextAuctionId: [{ run: nextAuctionId }],
  recomputeOrders: [
    {
      run: (database, h) => recomputeOrders(database, h.chainId, lookFrom(h), [openUid(h)]),
      reads: () => keptBlocks * 12,
    },
  ],
  recordAlarms: [
    {
      run: (database, h) =>
        recordAlarms(database, {
          chainId: h.chainId,
          crossed: [{ key: 'indexerLag', value: '9 blocks', lastsSeconds: 0 }],
          channels: ['webhook', 'email'],
          reminderSeconds: 86_400,
          now: new Date(),
        }),
    },
  ],
  reopenAttempts: [{ run: (database, h) => reopenAttempts(database, h.chainId, tip(h) - 9), reads: () => 20 }],
  replaceYieldPools: [
    {
      run: (database, h) =>
        replaceYieldPools(database, h.chainId, [
          { id: 'p', contractAddress: h.solver, project: 'p', apr: 1, fee: null, tvl: 1, volume: null },
        ]),
    },
  ],
  replayDeliveries: [
    {
      run: (database, { busyOwner }) =>
        replayDeliveries(database, { account: busyOwner, signerChainId: 0 }, subscriptionOf(1), {
          ...{ limit: 100, now: new Date() },
        }),
      reads: () => 200,
    },
  ],
  retractNotifications: [{ run: (database, h) => retractNotifications(database, h.chainId, tip(h) - 9) }],
  // reads the trades of each hour that it adds up
  sumReferredHours: [
    {
      run: (database, h) => sumReferredHours(database, h.chainId),
      reads: ({ orders }) => Math.ceil(orders / 7_200) * 8,
    },
  ],
  selectNewestSample: [{ run: (database, h) => selectNewestSample(database, h.chainId) }],
  selectSamplesToCarry: [
    {
      run: (database, h) => selectSamplesToCarry(database, h.chainId, { after: null, limit: 2_000 }),
      reads: () => 2_000,
    },
  ],
  selectTradesToCarry: [{ run: (database, h) => selectTradesToCarry(database, h.chainId, 500), reads: () => 500 * 8 }],
  selectUndispatched: [{ run: (database) => selectUndispatched(database, 100) }],
  takeDueAlerts: [{ run: (database) => takeDueAlerts(database, { limit: 20, leaseMs: 1_000, now: new Date() }) }],
  takeDueDeliveries: [{ run: (database) => takeDueDeliveries(database, { limit: 100, ...lease() }), reads: () => 200 }],
  takeMailSlot: [{ run: (database) => takeMailSlot(database, 'reader@example.com') }],
  unlinkChat: [{ run: (database, h) => unlinkChat(database, `chat ${newestUnconfirmed(h)}`) }],
  unsubscribe: [{ run: (database) => unsubscribe(database, 'unsubscribe 9') }],
  upsertCarried: [{ run: (database) => upsertCarried(database, carriedNotifications), reads: () => 100 }],
  updateAvailableBalances: [
    {
      run: (database, h) =>
        updateAvailableBalances(
          database,
          h.chainId,
          listed(h, 0, 50).map(({ uid }) => ({ uid, available: 1n })),
        ),
    },
  ],
  updateCancelledOrders: [
    {
      run: (database, h) => updateCancelledOrders(database, h.chainId, [openUid(h), openUid(h, 1)], now()),
      reads: () => 20,
    },
  ],
  updateChain: [
    { run: (database, h) => updateChain(database, h.chainId, update(h)), reads: () => readsOfBlocks(keptBlocks) },
    {
      run: (database, h) =>
        updateChain(database, h.chainId, update(h, { undoFrom: tip(h) - 9, fromBlock: tip(h) - 9 })),
      reads: () => readsOfBlocks(keptBlocks),
    },
  ],
  upsertSubscription: [
    {
      run: (database, { busyOwner: account }) =>
        upsertSubscription(
          database,
          nonceOf(account),
          {
            ...(newSubscription({ account }) as Parameters<typeof upsertSubscription>[2]),
            pushKeys: null,
            confirmToken: null,
          },
          20,
        ),
      reads: () => 200,
    },
  ],
  useSubscription: [
    { run: (database) => useSubscription(database, nonceOf(accountOf(9)), subscriptionOf(9)), reads: () => 200 },
  ],
}
