import { type Address, type Hex, zeroAddress } from 'viem'
import {
  type AuctionOrder,
  auctionOrderSchema,
  type SolutionOrder,
  type SolveRequestBody,
} from '#shared/solvers/driverApi.ts'
import { encodeSettlement, type Interaction } from '#shared/solvers/encodeSettlement.ts'

/**
 * Calldata of a solution that pays its orders from the settlement contract's own tokens, with the orders' hooks.
 * @param intra calls between the payments in and out
 * @returns undefined when the request lacks an order of the solution
 */
export const encodeFromBuffers = (
  { id, orders }: Pick<SolveRequestBody, 'id' | 'orders'>,
  solution: Readonly<Record<Hex, SolutionOrder>>,
  intra: readonly Interaction[] = [],
): Hex | undefined => {
  const known = new Map(orders.map((order) => [order.uid.toLowerCase(), order]))
  const traded: (SolutionOrder & { order: AuctionOrder })[] = []
  for (const [uid, execution] of Object.entries(solution)) {
    const { data } = auctionOrderSchema.safeParse(known.get(uid.toLowerCase()))
    if (!data) return undefined
    traded.push({ ...execution, order: data })
  }
  const uniformPrices = new Map<Address, bigint>()
  for (const { sellToken, buyToken, executedSell, executedBuy } of traded)
    for (const [token, price] of [
      [sellToken, executedBuy],
      [buyToken, executedSell],
    ] as const)
      if (!uniformPrices.has(token)) uniformPrices.set(token, price)
  const hooks = (list: 'preInteractions' | 'postInteractions') => traded.flatMap(({ order }) => order[list])
  return encodeSettlement({
    auctionId: BigInt(id),
    uniformPrices,
    trades: traded.map(({ order, executedSell, executedBuy }) => ({
      order: { ...order, receiver: order.receiver ?? zeroAddress, appDataHash: order.appData },
      owner: order.owner,
      scheme: order.signingScheme,
      signature: order.signature,
      executedSell,
      executedBuy,
    })),
    interactions: { pre: hooks('preInteractions'), intra, post: hooks('postInteractions') },
  })
}
