import type { Address } from 'viem'
import { type Network, wrapToken } from '#shared/networks.ts'
import type { SolveRequest } from '#shared/solvers/driverApi.ts'
import type { Pool } from '../pools/pool.ts'
import { toLiquidityBody } from './buildLiquidity.ts'
import type { EngineAuctionBody, EngineOrderBody, EngineTokenBody } from './engineApi.ts'
import type { TokenFacts } from './findTokenFacts.ts'

/** The tokens of orders and pools. */
export const listTokens = (
  orders: readonly Pick<EngineOrderBody, 'sellToken' | 'buyToken'>[],
  pools: readonly Pool[],
): Address[] => [
  ...new Set([
    ...orders.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]),
    ...pools.flatMap(({ token0, token1 }) => [token0, token1]),
  ]),
]

/**
 * Builds the body of POST `solve`.
 * @param auction prices, trusted tokens and just-in-time owners
 * @param gasPrice wei per gas unit
 */
export const buildEngineAuction = (
  auction: Pick<SolveRequest, 'tokens' | 'surplusCapturingJitOrderOwners'> & { id: string | null },
  market: {
    network: Network
    orders: EngineOrderBody[]
    pools: readonly Pool[]
    tokens: ReadonlyMap<Address, TokenFacts>
    gasPrice: bigint
    deadlineMs: number
  },
): EngineAuctionBody => {
  const { network, orders, pools, tokens: facts, gasPrice, deadlineMs } = market
  const listed = new Map(auction.tokens.map((token) => [wrapToken(token.address, network.wrappedNative), token]))
  const tokens: Record<Address, EngineTokenBody> = {}
  for (const token of listTokens(orders, pools)) {
    const { decimals = null, balance = 0n } = facts.get(token) ?? {}
    const { price = null, trusted = false } = listed.get(token) ?? {}
    const referencePrice = price === null ? null : String(price)
    tokens[token] = { decimals, symbol: null, referencePrice, availableBalance: String(balance), trusted }
  }
  return {
    id: auction.id,
    tokens,
    orders,
    liquidity: pools.map((pool, id) => toLiquidityBody(pool, id, network)),
    effectiveGasPrice: String(gasPrice),
    deadline: new Date(deadlineMs).toISOString(),
    surplusCapturingJitOrderOwners: auction.surplusCapturingJitOrderOwners,
  }
}
