import type { Address, Hex } from 'viem'
import type { WinningSolution } from '#schema/queries/auctions/solutions.ts'
import type { Shortfall } from '#schema/tables/settlements/settlements.ts'
import { type Amounts, computeShortfalls, noAmounts } from '../../settlement/computeShortfalls.ts'
import type { DecodedSettlement } from '../../settlement/decodeSettlement.ts'

/** An on-chain settlement with its emitted trades, in order. */
export type SettledTrades = {
  solver: Address
  blockNumber: number
  decoded: DecodedSettlement | undefined
  trades: readonly ({ orderUid: Hex } & Amounts)[]
}

/** Attribution of a settlement, and the fee charged to each order, sell token atoms. */
export type Attribution = {
  winner: WinningSolution
  executedFees: {
    orderUid: Hex
    executedFee: bigint
    /** protocol fees by policy, in the order of application, in the order's surplus token */
    protocolFees: WinningSolution['orders'][number]['protocolFees']
  }[]
  /** orders that received less than the solution promised, and stored orders that it did not contain */
  mismatch: Shortfall[]
}

/**
 * Finds the winning solution that a settlement settles: same auction (from the calldata), same solver, same orders with
 * the same amounts. Otherwise the solution of this solver and auction with the most orders in common counts as settled,
 * but not as promised. Calldata without an id of such a solution settles the solver's attempts that run at its block,
 * so that a solver that leaves out the id of an auction does not leave out its promise. An order falls short when it
 * buys less than promised, or at a worse rate; a promised order missing from the settlement received nothing.
 * A just-in-time order pays no fee: its prices are its solver's own.
 * @param isListed whether an order is stored; a stored order outside the solution was in no competition
 * @returns undefined for a foreign settlement
 */
export const attributeSettlement = (
  { solver, blockNumber, decoded, trades }: SettledTrades,
  winners: readonly WinningSolution[],
  isListed: (uid: Hex) => boolean,
): Attribution | undefined => {
  if (decoded?.trades.length !== trades.length) return undefined
  const settled = sumByOrder(trades)
  const countShared = ({ orders }: WinningSolution) => orders.filter(({ uid }) => settled.has(uid)).length
  const own = winners.filter((solution) => solution.solver === solver && countShared(solution) > 0)
  const named = own.filter(({ auctionId }) => BigInt(auctionId) === decoded.auctionId)
  const running = own.filter(
    ({ startBlock, deadlineBlock }) => startBlock < blockNumber && blockNumber <= deadlineBlock,
  )
  const [winner] = (named.length > 0 ? named : running).sort(
    (a, b) => Number(isExact(b, settled)) - Number(isExact(a, settled)) || countShared(b) - countShared(a),
  )
  if (!winner) return undefined
  const promised = new Map(winner.orders.map((order) => [order.uid, order]))
  const fees = new Map<Hex, bigint>()
  for (const [i, { orderUid }] of trades.entries()) {
    const fee = promised.get(orderUid)?.isJit ? 0n : (decoded.trades[i]?.feeInSellToken ?? 0n)
    fees.set(orderUid, (fees.get(orderUid) ?? 0n) + fee)
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
    const sum = settled.get(orderUid) ?? noAmounts
    settled.set(orderUid, { sellAmount: sum.sellAmount + sellAmount, buyAmount: sum.buyAmount + buyAmount })
  }
  return settled
}

const isExact = ({ orders }: WinningSolution, settled: ReadonlyMap<Hex, Amounts>): boolean =>
  orders.length === settled.size &&
  orders.every(({ uid, executedSell, executedBuy }) => {
    const amounts = settled.get(uid)
    return amounts?.sellAmount === executedSell && amounts.buyAmount === executedBuy
  })
