import type { Address } from 'viem'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { OrderFill } from '../fills/buildFill.ts'
import { computePaid } from '../fills/executed.ts'
import type { Rate } from '../routing/rate.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'
import type { BatchMarket } from './batchMarket.ts'
import { toOwnerTokenKey } from './toOwnerTokenKey.ts'

/**
 * Amount of an order to trade: sell token atoms including the network fee in its price but not a signed fee, or buy
 * token atoms.
 */
export interface Request {
  order: AuctionOrder
  amount: bigint
}

/** Orders that trade together at one price, with the pools and with each other. */
export interface Batch {
  sellToken: Address
  buyToken: Address
  fills: OrderFill[]
  /** the uniform clearing price: `amountIn` of the sell token for `amountOut` of the buy token */
  rate: Rate
  /** trade with the pools */
  route: SwapRoute
  /** of the market that it was computed for */
  tolerance: bigint
  /** sum over the fills, wei */
  score: bigint
}

/** The amount of a fill as a request for another batch. */
export const toRequest = ({ order, executedSell, executedBuy }: OrderFill): Request => ({
  order,
  amount: order.kind === 'sell' ? executedSell : executedBuy,
})

/** Whether the owners' funds cover their fills. */
export const isFunded = ({ funds }: BatchMarket, fills: readonly OrderFill[]): boolean => {
  const taken = new Map<string, bigint>()
  for (const fill of fills) {
    const key = toOwnerTokenKey(fill.order.owner, fill.order.sellToken)
    taken.set(key, (taken.get(key) ?? 0n) + computePaid(fill))
  }
  return [...taken].every(([key, amount]) => amount <= (funds.get(key) ?? amount))
}
