import { eq, sql } from 'drizzle-orm'
import { type Address, type Hex, keccak256, stringToBytes } from 'viem'
import { appData } from '#schema/tables/orders/appData.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { benchOwners } from '../load/benchOwners.ts'
import { bookOwner, bookUidOf, buildBookOrder, buildBookTrade } from './bookRows.ts'
import { cloneRow } from './cloneRow.ts'
import { fundOwners } from './fundOwners.ts'
import type { Platform } from './startPlatform.ts'

const { chainId } = networks.sepolia
const [endless, past] = [4_000_000_000, 1_700_000_000]
const ordersOfAccount = 100_000
const tradeCount = 5_000
const uidsOfRequest = 128
/** whole tokens, enough for all orders of a run */
const funds = 10n ** 30n
const fullAppData = JSON.stringify({ version: '1.4.0', appCode: 'bench', metadata: {} })

export type Book = {
  /** an open order */
  liveUid: Hex
  /** terminal order, for the ETag */
  terminalUid: Hex
  /** the maximum number of terminal orders in one request */
  uids: Hex[]
  /** owner of a hundred thousand orders and thousands of trades */
  owner: Address
  appDataHash: Hex
}

/**
 * Fills the book: an account with 100,000 expired orders, some of them traded, an open order, a document, funded
 * owners.
 */
export const seedBook = async ({ database, rpcUrl, tokens }: Platform): Promise<Book> => {
  const sellTokens = ['DAI', 'COW'].map((symbol) => tokens[symbol]?.address as Address)
  await fundOwners(rpcUrl, sellTokens, benchOwners(), funds)
  const appDataHash = keccak256(stringToBytes(fullAppData))
  await database.insert(appData).values({ hash: appDataHash, fullAppData })

  const terminalUid = bookUidOf(0, past)
  await database.insert(orders).values(buildBookOrder(terminalUid, past, appDataHash))
  // of every placement: an order has a status by its events
  await database.insert(orderEvents).values({ chainId, orderUid: terminalUid, key: 'created', label: 'created' })
  await cloneRow(database, orders, eq(orders.uid, terminalUid), ordersOfAccount - 1, {
    uid: uidOfClone,
    created_at: sql`created_at - n * interval '1 minute'`,
  })
  await database.insert(trades).values(buildBookTrade(terminalUid))
  await cloneRow(database, trades, eq(trades.orderUid, terminalUid), tradeCount - 1, {
    order_uid: uidOfClone,
    block_number: sql`block_number - n`,
  })
  const liveUid = bookUidOf(ordersOfAccount, endless)
  await database.insert(orders).values(buildBookOrder(liveUid, endless, appDataHash))
  for (const table of [orders, trades]) await database.execute(sql`analyze ${table}`)
  return {
    liveUid,
    terminalUid,
    uids: Array.from({ length: uidsOfRequest }, (_, n) => bookUidOf(n, past)),
    owner: bookOwner,
    appDataHash,
  }
}

/** `bookUidOf(n, past)` in the database. */
const uidOfClone = sql.raw(`decode(lpad(to_hex(n), 64, '0') || '${bookUidOf(0, past).slice(66)}', 'hex')`)
