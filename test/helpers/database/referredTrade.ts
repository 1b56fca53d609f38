import { eq } from 'drizzle-orm'
import { type Address, type Hex, pad, toHex } from 'viem'
import type { Database } from '#schema/client.ts'
import { insertReferredHours } from '#schema/queries/affiliate/referredHours.ts'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { insertTradeValues } from '#schema/queries/settlements/tradeValues.ts'
import type { affiliates } from '#schema/tables/affiliate/affiliates.ts'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { executions } from '#schema/tables/settlements/executions.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { newOrder, orderUidOf } from './newOrder.ts'

const { sepolia } = networks

/** An affiliate's row: 20 dollars for each 1,000, shared equally. */
export const newAffiliate = (code: string, changes: Partial<typeof affiliates.$inferInsert> = {}) => ({
  walletAddress: pad(toHex(code), { size: 20 }),
  code,
  signedMessage: '0x12' as Hex,
  signedMessageHash: pad(toHex(code), { size: 32 }),
  createdAt: new Date('2026-01-01T00:00:00Z'),
  rewardAmount: 20,
  triggerVolume: 1_000,
  timeCapDays: 90,
  volumeCap: 0,
  revenueSplitAffiliatePct: 50,
  revenueSplitTraderPct: 50,
  revenueSplitDaoPct: 0,
  ...changes,
})

/** From this hour on ether is worth 2,000 dollars on every network. */
export const insertEtherPrice = (database: Database, sampledAt: Date, price = 2_000) =>
  database.insert(priceSamples).values(
    Object.values(networks).map(({ chainId, wrappedNative }) => ({
      chainId,
      token: wrappedNative,
      sampledAt,
      price,
    })),
  )

export type TestTrade = {
  /** of the order and its related rows */
  seed: number
  trader: Address
  at: Date
  code?: string | null
  chainId?: number
  /** atoms of a token worth as much as ether */
  sellAmount?: bigint
  /** wei per 10^18 atoms of the sell token; null: the auction has no price; the bought amount is worth more */
  price?: bigint | null
  /** wei; in the native token */
  protocolFee?: bigint
  /** false: foreign settlement */
  isAttributed?: boolean
  order?: Partial<NewOrder>
}

/** A filled order with its trade, settlement and auction. */
export const insertReferredTrade = async (database: Database, trade: TestTrade): Promise<Hex> => {
  const { seed, trader, at, code = null, chainId = sepolia.chainId, price = 10n ** 18n, isAttributed = true } = trade
  const { sellAmount = 10n ** 18n, protocolFee = sellAmount } = trade
  const owner = trade.order?.owner ?? trader
  const uid = orderUidOf(seed, owner)
  const order = newOrder(seed, { chainId, owner, referrerCode: code, createdAt: at, ...trade.order })
  await insertOrder(database, order)
  await database.update(orders).set({ executedSellAmount: sellAmount }).where(eq(orders.uid, uid))
  const { wrappedNative } = Object.values(networks).find((network) => network.chainId === chainId) ?? sepolia
  const valuable = `1${'0'.repeat(160)}`
  const prices: Record<string, string> =
    price === null ? {} : { [order.sellToken]: `${price}`, [order.buyToken]: valuable }
  if (price !== null) prices[wrappedNative] ??= `${10n ** 18n}`
  await database.insert(auctions).values({ chainId, id: seed, block: seed, deadlineBlock: seed, prices })
  const place = { chainId, blockNumber: seed, transactionHash: toHex(seed, { size: 32 }) }
  const { sellToken, buyToken } = order
  const amounts = { sellAmount, buyAmount: 3_000_000n, feeAmount: 0n }
  await database
    .insert(trades)
    .values({ ...place, ...amounts, logIndex: 1, orderUid: uid, owner, sellToken, buyToken, settlementLogIndex: 2 })
  await database.insert(settlements).values({
    ...place,
    logIndex: 2,
    solver: pad('0x5', { size: 20 }),
    settledAt: at,
    auctionId: isAttributed ? seed : null,
    gasUsed: 1n,
    effectiveGasPrice: 1n,
  })
  const fee = { executedFee: 0n, executedFeeToken: sellToken }
  const protocolFees = [{ token: wrappedNative, amount: `${protocolFee}` }]
  if (isAttributed)
    await database
      .insert(executions)
      .values({ chainId, auctionId: seed, orderUid: uid, blockNumber: seed, ...fee, protocolFees })
  await insertTradeValues(database, chainId, seed)
  await insertReferredHours(database, chainId, seed)
  return uid
}
