import { connectDatabase } from '#schema/client.ts'
import { createPauseFinder } from '#schema/queries/pauses/createPauseFinder.ts'
import { selectPauses } from '#schema/queries/pauses/pauses.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import type { RecoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { getAppData } from './appData/getAppData.ts'
import { putAppData } from './appData/putAppData.ts'
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
import { buildPostOrderDeps } from './placement/buildPostOrderDeps.ts'
import { postOrder } from './placement/postOrder.ts'
import { settingsSchema } from './settings.ts'
import { getConditionalOrder } from './strategies/getConditionalOrder.ts'
import { getConditionalOrders } from './strategies/getConditionalOrders.ts'
import { postConditionalDryRun } from './strategies/postConditionalDryRun.ts'
import { postConditionalProofs } from './strategies/postConditionalProofs.ts'

/** The Worker of the orders of one network; `recoverPublicKey` recovers the signers of orders and cancellations. */
export const createOrdersWorker = (recoverPublicKey: RecoverPublicKey) =>
  createWorker({
    settings: settingsSchema,
    routes: (settings) => {
      const { NETWORK: network } = settings
      const { chainId } = network
      const database = connectDatabase(settings.DATABASE_URL)
      const reading = { database, chainId, now: Date.now, orderAppData: settings.ORDER_APP_DATA }
      const domainSeparator = computeDomainSeparator(chainId, network.settlementContract)
      const signing = { database, chainId, domainSeparator, recoverPublicKey, now: Date.now }
      return [
        postOrder({
          ...signing,
          ...buildPostOrderDeps(settings, database),
          findPauses: createPauseFinder({ database, chainId }, Date.now),
          wakeAuctions: () => settings.AUCTIONS.fetch('http://auctions/wake', { method: 'POST' }),
        }),
        deleteOrders(signing),
        deleteOrder(signing),
        postOrdersByUids(reading),
        getOrder(reading),
        getOrderStatus(reading),
        getAccountOrders(reading),
        getTrades(reading),
        getNetworkOrders(reading),
        getNetworkTrades({ database, network }),
        getConditionalOrders(reading),
        getConditionalOrder(reading),
        postConditionalDryRun({
          ...{ chain: connectChain(settings.RPC_URL, chainId), network },
          unsupportedTokens: new Set(settings.UNSUPPORTED_TOKENS),
        }),
        postConditionalProofs(reading, { chain: connectChain(settings.RPC_URL, chainId), network }),
        getTransactionOrders(reading),
        getTotalSurplus(reading),
        getAppData(database),
        putAppData(database),
        getVersion(settings.VERSION),
        getReady(database),
      ]
    },
    findPaused: async ({ DATABASE_URL, NETWORK }) => {
      const pauses = await selectPauses(connectDatabase(DATABASE_URL), NETWORK.chainId)
      return pauses.map(({ subject }) => subject)
    },
    probes: ({ DATABASE_URL, RPC_URL, NETWORK }) => ({
      database: () => checkDatabase(connectDatabase(DATABASE_URL)),
      rpc: async () => {
        const chainId = await connectChain(RPC_URL).getChainId()
        if (chainId !== NETWORK.chainId) throw new Error(`chain id ${chainId}, expected ${NETWORK.chainId}`)
      },
    }),
  })
