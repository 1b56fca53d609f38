import { z } from 'zod'
import { connectDatabase } from '#schema/client.ts'
import { insertAppData, selectAppData } from '#schema/queries/appData.ts'
import { checkDatabase } from '#schema/queries/checkDatabase.ts'
import { selectOrderProgress } from '#schema/queries/orderEvents.ts'
import {
  insertOrder,
  selectAccountOrders,
  selectOrder,
  selectOrders,
  selectPlacementFacts,
} from '#schema/queries/orders.ts'
import { selectTrades } from '#schema/queries/trades.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { addressListSchema } from '#shared/validation/addressList.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkSchema } from '#shared/validation/network.ts'
import { findChainFacts } from './findChainFacts.ts'
import { getAccountOrders } from './getAccountOrders.ts'
import { getAppData } from './getAppData.ts'
import { getOrder } from './getOrder.ts'
import { getOrderStatus } from './getOrderStatus.ts'
import { getTrades } from './getTrades.ts'
import { getVersion } from './getVersion.ts'
import { postOrder } from './postOrder.ts'
import { postOrdersByUids } from './postOrdersByUids.ts'
import { putAppData } from './putAppData.ts'

const settingsSchema = z.object({
  NETWORK: networkSchema,
  DATABASE_URL: databaseUrlSchema,
  RPC_URL: z.url({ error: 'the URL of a JSON-RPC endpoint' }),
  /** nobody on it, as owner or receiver, may place an order */
  BANNED_USERS: addressListSchema.default([]),
  /** what GET version answers */
  VERSION: z.string().min(1).default('development'),
  AUCTIONS: z.custom<{ fetch: typeof fetch }>((binding) => Boolean(binding), 'a service binding'),
})

const now = (): number => Math.floor(Date.now() / 1_000)

export default createWorker({
  settings: settingsSchema,
  routes: ({ NETWORK: network, DATABASE_URL, RPC_URL, BANNED_USERS, VERSION, AUCTIONS }) => {
    const { chainId } = network
    const database = connectDatabase(DATABASE_URL)
    return [
      postOrder({
        network,
        domainSeparator: computeDomainSeparator(chainId, network.settlementContract),
        bannedUsers: new Set(BANNED_USERS),
        now,
        findChainFacts: (query) => findChainFacts(connectChain(RPC_URL), query),
        selectPlacementFacts: (order) => selectPlacementFacts(database, chainId, order),
        insertOrder: (order) => insertOrder(database, order),
        wakeAuctions: () => AUCTIONS.fetch('http://auctions/wake', { method: 'POST' }),
      }),
      postOrdersByUids({ now, selectOrders: (uids) => selectOrders(database, chainId, uids) }),
      getOrder({ now, selectOrder: (uid) => selectOrder(database, chainId, uid) }),
      getOrderStatus({ now, selectOrderProgress: (uid) => selectOrderProgress(database, chainId, uid) }),
      getAccountOrders({
        now,
        selectAccountOrders: (owner, page) => selectAccountOrders(database, chainId, owner, page),
      }),
      getTrades({ selectTrades: (filter, page) => selectTrades(database, chainId, filter, page) }),
      getAppData({ selectAppData: (hash) => selectAppData(database, hash) }),
      putAppData({ insertAppData: (hash, fullAppData) => insertAppData(database, hash, fullAppData) }),
      getVersion(VERSION),
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
