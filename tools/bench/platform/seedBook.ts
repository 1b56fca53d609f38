import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Address, type Hex, keccak256, pad, stringToBytes, toHex } from 'viem'
import type { Database } from '#schema/client.ts'
import { appData } from '#schema/tables/orders/appData.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { benchOwners } from '../load/createOrderSigner.ts'
import { fundOwners } from './fundOwners.ts'
import type { Platform } from './startPlatform.ts'

const { chainId, wrappedNative, usdReference, settlementContract } = networks.sepolia
const owner: Address = `0x${'b0'.repeat(20)}`
const [endless, past] = [4_000_000_000, 1_700_000_000]
const ordersOfAccount = 100_000
const tradeCount = 5_000
/** stays within the statement timeout on a busy machine */
const rowsOfStatement = 5_000
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

  const terminalUid = uidOf(0, past)
  await database.insert(orders).values(buildOrder(terminalUid, past, appDataHash))
  // of every placement: an order has a status by its events
  await database.insert(orderEvents).values({ chainId, orderUid: terminalUid, key: 'created', label: 'created' })
  await cloneRow(database, orders, eq(orders.uid, terminalUid), ordersOfAccount - 1, {
    uid: uidOfClone,
    created_at: sql`created_at - n * interval '1 minute'`,
  })
  await database.insert(trades).values(buildTrade(terminalUid))
  await cloneRow(database, trades, eq(trades.orderUid, terminalUid), tradeCount - 1, {
    order_uid: uidOfClone,
    block_number: sql`block_number - n`,
  })
  const liveUid = uidOf(ordersOfAccount, endless)
  await database.insert(orders).values(buildOrder(liveUid, endless, appDataHash))
  for (const table of [orders, trades]) await database.execute(sql`analyze ${table}`)
  return {
    liveUid,
    terminalUid,
    uids: Array.from({ length: uidsOfRequest }, (_, n) => uidOf(n, past)),
    owner,
    appDataHash,
  }
}

const uidOf = (n: number, validTo: number): Hex => packOrderUid(pad(toHex(n), { size: 32 }), owner, validTo)

/** `uidOf(n, past)` in the database. */
const uidOfClone = sql.raw(`decode(lpad(to_hex(n), 64, '0') || '${uidOf(0, past).slice(66)}', 'hex')`)

/** Copies the row selected by `isOriginal` `count` times, with new values by column; `n` counts from 1. */
const cloneRow = async (
  database: Database,
  table: PgTable,
  isOriginal: SQL,
  count: number,
  changes: Record<string, SQL>,
): Promise<void> => {
  const names = Object.values(getTableColumns(table)).map(({ name }) => name)
  const columns = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )
  const values = sql.join(
    names.map((name) => changes[name] ?? sql.identifier(name)),
    sql`, `,
  )
  for (let from = 1; from <= count; from += rowsOfStatement) {
    const numbers = sql.raw(`generate_series(${from}, ${Math.min(from + rowsOfStatement - 1, count)})`)
    await database.execute(
      sql`insert into ${table} (${columns}) select ${values} from ${table}, ${numbers} as n where ${isOriginal}`,
    )
  }
}

const buildOrder = (uid: Hex, validTo: number, appDataHash: Hex): typeof orders.$inferInsert => ({
  chainId,
  uid,
  owner,
  sellToken: wrappedNative,
  buyToken: usdReference.address,
  receiver: null,
  sellAmount: 10n ** 18n,
  buyAmount: 10n ** 12n,
  validTo,
  appDataHash,
  feeAmount: 0n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
  signingScheme: 'eip712',
  signature: `0x${'5a'.repeat(65)}`,
  settlementContract,
  class: 'limit',
  quoteId: null,
  fullBalanceCheck: false,
})

const buildTrade = (uid: Hex): typeof trades.$inferInsert => ({
  chainId,
  blockNumber: 1_000_000,
  // trades of a history have the first place of their block
  logIndex: 2,
  transactionHash: keccak256('0x01'),
  orderUid: uid,
  owner,
  sellToken: wrappedNative,
  buyToken: usdReference.address,
  sellAmount: 10n ** 18n,
  buyAmount: 10n ** 12n,
  feeAmount: 0n,
  settlementLogIndex: 1,
})
