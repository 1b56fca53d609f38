import type { Address } from 'viem'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import type { AuctionOrder, SolveRequest, SolveResponseBody } from '#shared/solvers/driverApi.ts'

/**
 * Solutions of one order each that claim a price: that of the auction's own prices, times a ratio.
 * @param improve ratio in 1/10000; undefined leaves the order out
 */
export const buildClaims = (
  request: SolveRequest,
  submissionAddress: Address,
  improve: (order: AuctionOrder) => bigint | undefined,
): SolveResponseBody => {
  const priceOf = new Map(request.tokens.map(({ address, price }) => [address, price ?? 0n]))
  return {
    solutions: request.orders.flatMap((order, solutionId) => {
      const ratio = improve(order)
      if (ratio === undefined) return []
      const [sellPrice = 0n, buyPrice = 0n] = [priceOf.get(order.sellToken), priceOf.get(order.buyToken)]
      const executed = claim(order, sellPrice, buyPrice, ratio)
      const { uid, kind: side, sellToken, buyToken } = order
      const limits = { limitSell: `${order.sellAmount}`, limitBuy: `${order.buyAmount}` }
      const orders = { [uid]: { side, sellToken, buyToken, ...limits, ...executed } }
      return [{ solutionId, submissionAddress, score: '0', orders }]
    }),
  }
}

const scale = 10_000n

/** Never below the order's limit; a token without a price is taken at the limit. */
const claim = (order: AuctionOrder, sellPrice: bigint, buyPrice: bigint, ratio: bigint) => {
  const { sellAmount, buyAmount, executed } = order
  const isPriced = sellPrice > 0n && buyPrice > 0n
  if (order.kind === 'sell') {
    const sell = sellAmount - executed
    const limit = (buyAmount * sell + sellAmount - 1n) / sellAmount
    const fair = isPriced ? (sell * sellPrice) / buyPrice : limit
    return { executedSell: `${sell}`, executedBuy: `${maxOf(limit, (fair * ratio) / scale)}` }
  }
  const buy = buyAmount - executed
  const limit = (sellAmount * buy) / buyAmount
  const fair = isPriced ? (buy * buyPrice) / sellPrice : limit
  return { executedSell: `${minOf(limit, (fair * scale) / ratio)}`, executedBuy: `${buy}` }
}
