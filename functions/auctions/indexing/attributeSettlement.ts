import type { Address, Hex } from 'viem'
import type { WinningSolution } from '#schema/queries/auctions/solutions.ts'
import type { Shortfall } from '#schema/tables/settlements/settlements.ts'
import type { DecodedSettlement } from './decodeSettlement.ts'

type Amounts = { sellAmount: bigint; buyAmount: bigint }

/** A settlement of the chain with the trades that it emitted, in their order. */
export type SettledTrades = {
  solver: Address
  decoded: DecodedSettlement | undefined
  trades: readonly ({ orderUid: Hex } & Amounts)[]
}

/** What a settlement settles, and what it charged each order: sell token atoms. */
export type Attribution = {
  winner: WinningSolution
  executedFees: {
    orderUid: Hex
    executedFee: bigint
    /** the protocol's part of it, by policy in the order of application, in the token of the order's surplus */
    protocolFees: WinningSolution['orders'][number]['protocolFees']
  }[]
  /** orders that got less than the solution promised, and orders of the book that it did not have */
  mismatch: Shortfall[]
}

/** Shortfalls that are recorded of one settlement. */
const maxShortfalls = 100

/**
 * The winning solution that a settlement settles: the same auction (named in its calldata), the same solver, and the same
 * orders with the same amounts. Failing that, the solution of this solver and auction that shares most orders with the
 * settlement: it is settled too, only not as promised. An order falls short when it buys less than promised, or at a worse
 * rate; a promised order that the settlement leaves out got nothing.
 * @param isListed whether an order is in the book; one that the solution does not have was in no competition
 * @returns undefined for a foreign settlement
 */
export const attributeSettlement = (
  { solver, decoded, trades }: SettledTrades,
  winners: readonly WinningSolution[],
  isListed: (uid: Hex) => boolean,
): Attribution | undefined => {
  if (decoded?.auctionId === undefined || decoded.trades.length !== trades.length) return undefined
  const settled = sumByOrder(trades)
  const countShared = ({ orders }: WinningSolution) => orders.filter(({ uid }) => settled.has(uid)).length
  const [winner] = winners
    .filter(
      (solution) =>
        BigInt(solution.auctionId) === decoded.auctionId && solution.solver === solver && countShared(solution) > 0,
    )
    .sort((a, b) => Number(isExact(b, settled)) - Number(isExact(a, settled)) || countShared(b) - countShared(a))
  if (!winner) return undefined
  const promised = new Map(winner.orders.map((order) => [order.uid, order]))
  const fees = new Map<Hex, bigint>()
  for (const [i, { orderUid }] of trades.entries()) {
    fees.set(orderUid, (fees.get(orderUid) ?? 0n) + (decoded.trades[i]?.feeInSellToken ?? 0n))
  }
  return {
    winner,
    executedFees: [...fees].map(([orderUid, executedFee]) => ({
      orderUid,
      executedFee,
      protocolFees: promised.get(orderUid)?.protocolFees ?? [],
    })),
    mismatch: computeShortfalls(winner, settled, isListed),
  }
}

const sumByOrder = (trades: SettledTrades['trades']): Map<Hex, Amounts> => {
  const settled = new Map<Hex, Amounts>()
  for (const { orderUid, sellAmount, buyAmount } of trades) {
    const sum = settled.get(orderUid) ?? nothing
    settled.set(orderUid, { sellAmount: sum.sellAmount + sellAmount, buyAmount: sum.buyAmount + buyAmount })
  }
  return settled
}

const nothing: Amounts = { sellAmount: 0n, buyAmount: 0n }

const isExact = ({ orders }: WinningSolution, settled: ReadonlyMap<Hex, Amounts>): boolean =>
  orders.length === settled.size &&
  orders.every(({ uid, executedSell, executedBuy }) => {
    const amounts = settled.get(uid)
    return amounts?.sellAmount === executedSell && amounts.buyAmount === executedBuy
  })

const computeShortfalls = (
  { orders }: WinningSolution,
  settled: ReadonlyMap<Hex, Amounts>,
  isListed: (uid: Hex) => boolean,
): Shortfall[] => {
  const short = orders.flatMap(({ uid, executedSell: sellAmount, executedBuy: buyAmount }): Shortfall[] => {
    const amounts = settled.get(uid) ?? nothing
    const promised = { sellAmount, buyAmount }
    return isShort(amounts, promised) ? [{ orderUid: uid, promised: toTexts(promised), settled: toTexts(amounts) }] : []
  })
  const known = new Set(orders.map(({ uid }) => uid))
  const added = [...settled].flatMap(([uid, amounts]): Shortfall[] =>
    known.has(uid) || !isListed(uid) ? [] : [{ orderUid: uid, promised: null, settled: toTexts(amounts) }],
  )
  return [...short, ...added].slice(0, maxShortfalls)
}

/** It buys less, or sells more for each atom that it buys. */
const isShort = (settled: Amounts, promised: Amounts): boolean =>
  settled.buyAmount < promised.buyAmount ||
  settled.sellAmount * promised.buyAmount > promised.sellAmount * settled.buyAmount

const toTexts = ({ sellAmount, buyAmount }: Amounts) => ({
  sellAmount: sellAmount.toString(),
  buyAmount: buyAmount.toString(),
})
