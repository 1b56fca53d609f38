import { and, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '#schema/client.ts'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import { type DecodedTrade, decodeSettlement } from '../../../functions/auctions/settlement/decodeSettlement.ts'

/** An order and the newest block when it was placed. */
export type MeasuredOrder = { uid: Hex; block: number }

/** How the orders of a market scenario were filled. */
export type MarketOutcome = {
  orders: number
  filled: number
  /** of each filled order, blocks from its placement to its first trade */
  blocksToFill: number[]
  attempts: number
  /** attempts whose settlement reverted, was late, or paid less than proposed */
  failed: number
  /** gas of all settlements that trade the orders, for each filled order */
  gasPerOrder: number
  /**
   * for each directed pair of a settlement, bought amount as a share of the most that pools gave in the block before
   */
  priceShares: number[]
  /** for each settlement, network fees as a share of its cost */
  feeShares: number[]
}

export type OutcomeDeps = {
  database: Database
  chainId: number
  findCalldata: (transaction: Hex) => Promise<Hex>
  /** the most that pools gave for an amount after a block, buy token atoms */
  findOptimum: (sale: { sellToken: Address; buyToken: Address; amount: bigint }, block: number) => Promise<bigint>
}

/** @param afterAuction newest auction before the orders were placed */
export const readOutcome = async (
  { database, chainId, findCalldata, findOptimum }: OutcomeDeps,
  orders: readonly MeasuredOrder[],
  afterAuction: number,
): Promise<MarketOutcome> => {
  const uids = orders.map(({ uid }) => uid)
  const traded = await database
    .select({ uid: trades.orderUid, block: trades.blockNumber, transaction: trades.transactionHash })
    .from(trades)
    .where(and(eq(trades.chainId, chainId), inArray(trades.orderUid, uids)))
  const settled = await database
    .select()
    .from(settlements)
    .where(
      and(
        eq(settlements.chainId, chainId),
        inArray(settlements.transactionHash, [...new Set(traded.map(({ transaction }) => transaction))]),
      ),
    )
  const attempts = await database
    .select({ outcome: settlementAttempts.outcome })
    .from(settlementAttempts)
    .where(
      and(
        eq(settlementAttempts.chainId, chainId),
        gt(settlementAttempts.auctionId, afterAuction),
        isNotNull(settlementAttempts.outcome),
      ),
    )
  const blockOf = new Map(traded.toSorted((a, b) => b.block - a.block).map(({ uid, block }) => [uid, block]))
  const blocksToFill = orders.flatMap(({ uid, block }) => {
    const filled = blockOf.get(uid)
    return filled === undefined ? [] : [filled - block]
  })
  const priceShares: number[] = []
  const feeShares: number[] = []
  for (const { transactionHash, auctionId, blockNumber, gasUsed, effectiveGasPrice } of settled) {
    const decoded = decodeSettlement(await findCalldata(transactionHash))
    if (!decoded || auctionId === null) throw new Error(`settlement ${transactionHash} cannot be decoded`)
    const prices = await findPrices(database, chainId, auctionId)
    const fees = decoded.trades.reduce((sum, { order, feeInSellToken }) => {
      const price = prices.get(order.sellToken) ?? 0n
      return sum + (feeInSellToken * price) / auctionPriceScale
    }, 0n)
    feeShares.push(divide(fees, gasUsed * effectiveGasPrice))
    for (const [pair, amounts] of sumByPair(decoded.trades)) {
      const [sellToken, buyToken] = pair.split('-') as [Address, Address]
      const optimum = await findOptimum({ sellToken, buyToken, amount: amounts.sold }, blockNumber - 1)
      priceShares.push(divide(amounts.bought, optimum))
    }
  }
  const gas = settled.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
  return {
    orders: orders.length,
    filled: blocksToFill.length,
    blocksToFill,
    attempts: attempts.length,
    failed: attempts.filter(({ outcome }) => outcome !== 'success').length,
    gasPerOrder: gas / blocksToFill.length,
    priceShares,
    feeShares,
  }
}

/** Amounts by directed pair, before network fees. */
const sumByPair = (settled: readonly DecodedTrade[]): Map<string, { sold: bigint; bought: bigint }> => {
  const sums = new Map<string, { sold: bigint; bought: bigint }>()
  for (const { order, executedSell, executedBuy, feeInSellToken } of settled) {
    const pair = `${order.sellToken}-${order.buyToken}`
    const { sold, bought } = sums.get(pair) ?? { sold: 0n, bought: 0n }
    const executed = order.kind === 'sell' ? order.sellAmount : order.buyAmount
    const paid = executedSell - computeSignedFee(order, executed) - feeInSellToken
    sums.set(pair, { sold: sold + paid, bought: bought + executedBuy })
  }
  return sums
}

const findPrices = async (database: Database, chainId: number, auctionId: number): Promise<Map<string, bigint>> => {
  const [auction] = await database
    .select({ prices: auctions.prices })
    .from(auctions)
    .where(and(eq(auctions.chainId, chainId), eq(auctions.id, auctionId)))
  return new Map(Object.entries(auction?.prices ?? {}).map(([token, price]) => [token, BigInt(price)]))
}

const precision = 10n ** 9n

const divide = (a: bigint, b: bigint): number => (b === 0n ? 0 : Number((a * precision) / b) / Number(precision))
