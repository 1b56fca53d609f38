import type { Address, Hex } from 'viem'
import type { WinningSolution } from '#schema/queries/solutions.ts'
import type { DecodedSettlement } from '#shared/solvers/decodeSettlement.ts'

/** A settlement of the chain with the trades that it emitted, in their order. */
export type SettledTrades = {
  solver: Address
  decoded: DecodedSettlement | undefined
  trades: readonly { orderUid: Hex; sellAmount: bigint; buyAmount: bigint }[]
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
}

/**
 * The winning solution that a settlement settles: the same auction (named in its calldata), the same solver, the same
 * orders with the same executed amounts.
 * @returns undefined for a foreign settlement
 */
export const attributeSettlement = (
  { solver, decoded, trades }: SettledTrades,
  winners: readonly WinningSolution[],
): Attribution | undefined => {
  if (decoded?.auctionId === undefined || decoded.trades.length !== trades.length) return undefined
  const executed = new Map(trades.map((trade) => [trade.orderUid, trade]))
  const winner = winners.find(
    (solution) =>
      BigInt(solution.auctionId) === decoded.auctionId &&
      solution.solver === solver &&
      solution.orders.length === trades.length &&
      solution.orders.every(({ uid, executedSell, executedBuy }) => {
        const trade = executed.get(uid)
        return trade?.sellAmount === executedSell && trade.buyAmount === executedBuy
      }),
  )
  if (!winner) return undefined
  const protocolFees = new Map(winner.orders.map((order) => [order.uid, order.protocolFees]))
  return {
    winner,
    executedFees: trades.map(({ orderUid }, i) => ({
      orderUid,
      executedFee: decoded.trades[i]?.feeInSellToken ?? 0n,
      protocolFees: protocolFees.get(orderUid) ?? [],
    })),
  }
}
