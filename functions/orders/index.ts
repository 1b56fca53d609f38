import { connectDatabase } from '#schema/client.ts'
import { selectOrderProgress } from '#schema/queries/events/orderEvents.ts'
import { selectNetworkOrders } from '#schema/queries/explorer/networkOrders.ts'
import { selectNetworkTrades } from '#schema/queries/explorer/networkTrades.ts'
import { selectAccountOrders } from '#schema/queries/orders/accountOrders.ts'
import { insertAppData, selectAppData } from '#schema/queries/orders/appData.ts'
import { selectCancellationFacts, updateCancelledOrders } from '#schema/queries/orders/cancellations.ts'
import { insertOrder, selectOrder, selectOrders, selectTransactionOrders } from '#schema/queries/orders/orders.ts'
import { selectPlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import { selectTotalSurplus } from '#schema/queries/settlements/totalSurplus.ts'
import { selectTrades } from '#schema/queries/settlements/trades.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { findTokenWords } from '#schema/queries/tokens/findTokenWords.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { checkTokenFaults, type TokenFaults } from '#shared/tokens/checkTokenFaults.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import { getAppData } from './appData/getAppData.ts'
import { putAppData } from './appData/putAppData.ts'
import type { CancellationDeps } from './cancellation/cancelOrders.ts'
import { deleteOrder } from './cancellation/deleteOrder.ts'
import { deleteOrders } from './cancellation/deleteOrders.ts'
import { getReady } from './getReady.ts'
import { getVersion } from './getVersion.ts'
import { getAccountOrders } from './lookup/getAccountOrders.ts'
import { getOrder } from './lookup/getOrder.ts'
import { getOrderStatus } from './lookup/getOrderStatus.ts'
import { getTotalSurplus } from './lookup/getTotalSurplus.ts'
import { getTrades } from './lookup/getTrades.ts'
import { getTransactionOrders } from './lookup/getTransactionOrders.ts'
import { postOrdersByUids } from './lookup/postOrdersByUids.ts'
import { getNetworkOrders } from './network/getNetworkOrders.ts'
import { getNetworkTrades } from './network/getNetworkTrades.ts'
import { computeSubmitter } from './placement/computeSubmitter.ts'
import { findPlacementChainFacts } from './placement/findPlacementChainFacts.ts'
import { postOrder } from './placement/postOrder.ts'
import { settingsSchema } from './settings.ts'

/** Longest wait for the proof that a token loses amounts; without it the order is not refused. */
const tokenTimeoutMs = 1_500

const now = (): number => Math.floor(Date.now() / 1_000)

export default createWorker({
  settings: settingsSchema,
  routes: ({ NETWORK: network, DATABASE_URL, RPC_URL, VERSION, AUCTIONS, ...settings }) => {
    const { chainId } = network
    const reading = { now, orderAppData: settings.ORDER_APP_DATA }
    const database = connectDatabase(DATABASE_URL)
    const domainSeparator = computeDomainSeparator(chainId, network.settlementContract)
    const simulate = simulateCalls(RPC_URL)
    const balanceLayouts: BalanceLayouts = new Map()
    const tokenFaults: TokenFaults = new Map()
    const cancellationDeps: CancellationDeps = {
      domainSeparator,
      now,
      selectCancellationFacts: (uids) => selectCancellationFacts(database, chainId, uids),
      updateCancelledOrders: (uids, at) => updateCancelledOrders(database, chainId, uids, at),
    }
    return [
      postOrder({
        network,
        domainSeparator,
        bannedUsers: new Set(settings.BANNED_USERS),
        unsupportedTokens: new Set(settings.UNSUPPORTED_TOKENS),
        bounds: {
          limitOrders: settings.MAX_LIMIT_ORDERS_PER_USER,
          openOrders: settings.MAX_OPEN_ORDERS_PER_USER,
          unsignedOfClient: settings.MAX_UNSIGNED_ORDERS_PER_CLIENT,
          unsignedOrders: settings.MAX_UNSIGNED_ORDERS,
        },
        // the database URL holds a password, so it is a secret that no database has a copy of
        computeSubmitter: (client) => computeSubmitter(DATABASE_URL, client),
        maxGas: settings.MAX_GAS_PER_ORDER,
        now,
        nowMs: Date.now,
        findOrderFacts: (query) =>
          findPlacementChainFacts(
            {
              network,
              connect: () => connectChain(RPC_URL),
              simulate,
              timeoutMs: settings.CHAIN_TIMEOUT_MS,
            },
            query,
          ),
        checkTokenFaults: (tokens, isNew) => {
          const signal = AbortSignal.timeout(tokenTimeoutMs)
          const findLayout = isNew ? createLayoutFinder({ simulate, balanceLayouts }, signal) : undefined
          return checkTokenFaults({ network, simulate, now: Date.now, tokenFaults }, tokens, signal, findLayout)
        },
        findTokens: (tokens) => findTokenWords({ network, database, rpcUrl: RPC_URL }, tokens),
        selectPlacementFacts: (order, at) => selectPlacementFacts(database, chainId, order, at),
        insertOrder: (order, replacement, bounds) => insertOrder(database, order, replacement, bounds),
        wakeAuctions: () => AUCTIONS.fetch('http://auctions/wake', { method: 'POST' }),
      }),
      deleteOrders(cancellationDeps),
      deleteOrder(cancellationDeps),
      postOrdersByUids({ ...reading, selectOrders: (uids) => selectOrders(database, chainId, uids) }),
      getOrder({ ...reading, selectOrder: (uid) => selectOrder(database, chainId, uid) }),
      getOrderStatus({ now, selectOrderProgress: (uid) => selectOrderProgress(database, chainId, uid) }),
      getAccountOrders({
        ...reading,
        selectAccountOrders: (owner, page) => selectAccountOrders(database, chainId, owner, page),
      }),
      getTrades({ selectTrades: (filter, page) => selectTrades(database, chainId, filter, page) }),
      getNetworkOrders({
        ...reading,
        selectNetworkOrders: (filter, page) => selectNetworkOrders(database, chainId, filter, page),
      }),
      getNetworkTrades({ selectNetworkTrades: (filter, page) => selectNetworkTrades(database, chainId, filter, page) }),
      getTransactionOrders({
        ...reading,
        selectTransactionOrders: (hash) => selectTransactionOrders(database, chainId, hash),
      }),
      getTotalSurplus({ selectTotalSurplus: (owner) => selectTotalSurplus(database, chainId, owner) }),
      getAppData({ selectAppData: (hash) => selectAppData(database, hash) }),
      putAppData({ insertAppData: (hash, fullAppData) => insertAppData(database, hash, fullAppData) }),
      getVersion(VERSION),
      getReady({ checkDatabase: () => checkDatabase(database) }),
    ]
  },
  probes: ({ DATABASE_URL, RPC_URL, NETWORK }) => ({
    database: () => checkDatabase(connectDatabase(DATABASE_URL)),
    rpc: async () => {
      const chainId = await connectChain(RPC_URL).getChainId()
      if (chainId !== NETWORK.chainId) throw new Error(`chain id ${chainId}, expected ${NETWORK.chainId}`)
    },
  }),
})
