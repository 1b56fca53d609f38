import type { Address } from 'viem'
import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import { toPairKey } from '../pools/pool.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeGas, computeSwapGas, hopGas } from '../routing/computeGas.ts'
import { tolerate } from '../routing/computeRoute.ts'
import { computeSwap } from '../routing/computeSwap.ts'
import { type Hop, listStrands, type SwapRoute } from '../routing/swapRoute.ts'
import type { BatchMarket } from './batchMarket.ts'

type FeeMarket = Pick<BatchMarket, 'pools' | 'gasPrice' | 'wrappedNative' | 'feeTokens'>
type FeePool = Pick<Hop, 'pool' | 'tokenIn' | 'tokenOut'>

/** part of the fees' value that their sale must bring: the rest is the pool's fee, its depth and the price's age */
const least = { of: 9n, in: 10n }

/** Whether fees in a token are the solver's as they are, or a pool trades it for such a token. */
export const canConvertFees = ({ pools, feeTokens }: Pick<FeeMarket, 'pools' | 'feeTokens'>, token: Address): boolean =>
  feeTokens.has(token) || [...feeTokens.keys()].some((other) => (pools.get(toPairKey(token, other)) ?? []).length > 0)

/**
 * Gas of turning the fees of a trade into a token that the solver retains: none where a first swap buys it, because the
 * contract's balance of the sold token then stays as it is, which costs as much less as the further transfer costs; a
 * swap elsewhere.
 * @returns undefined when no pool buys them
 */
export const computeFeeGas = (market: FeeMarket, token: Address, strands: readonly Leg[][]): bigint | undefined => {
  if (market.feeTokens.has(token)) return 0n
  if (strands.some(([first]) => first && sellsFees(market, token, first))) return 0n
  const own = findFeePool(market, token)
  return own && computeSwapGas([own.pool])
}

/**
 * Adds the sale of fees to a route: the first swap of a strand sells them together with its trade where it buys a token
 * that the solver retains, else a pool of their own. What the trade receives does not change.
 * @param amount fees, atoms of `token`
 * @returns the route, and the value of what the solver retains, wei; undefined when no pool buys them
 */
export const convertFees = (
  market: BatchMarket,
  route: SwapRoute,
  token: Address,
  amount: bigint,
): { route: SwapRoute; worth: bigint } | undefined => {
  const isUsedOnce = ({ pool }: Hop) => route.hops.filter((hop) => hop.pool.address === pool.address).length === 1
  const [shortest] = listStrands(route)
    .filter(([first]) => first && sellsFees(market, token, first) && isUsedOnce(first))
    .sort((a, b) => a.length - b.length)
  const first = shortest?.[0]
  const place = first ?? findFeePool(market, token)
  if (amount <= 0n || !place) return undefined
  if (!first && route.hops.some(({ pool }) => pool.address === place.pool.address)) return undefined
  const { pool, tokenIn, tokenOut } = place
  const amountIn = amount + (first?.amountIn ?? 0n)
  const swap = computeSwap(pool, tokenIn, 'sell', amountIn)
  const exact = swap && { pool, tokenIn, tokenOut, amountIn, amountOut: swap.amountOut }
  const sale = exact && tolerate(exact, 'sell', { tolerance: market.tolerance, of: BigInt(shortest?.length ?? 1) })
  const brought = (sale?.amountOut ?? 0n) - (first?.amountOut ?? 0n)
  if (!sale || brought <= 0n) return undefined
  const hops = first ? route.hops.map((hop) => (hop === first ? sale : hop)) : [...route.hops, sale]
  return {
    route: { ...route, hops },
    worth: mulDivFloor(brought, market.feeTokens.get(tokenOut) ?? 0n, auctionPriceScale),
  }
}

/** Whether a sale of fees brings enough of their value at the auction's price. */
export const coversFees = (worth: bigint, needed: bigint, price: bigint): boolean =>
  worth * least.in * auctionPriceScale >= needed * price * least.of

const sellsFees = (
  { feeTokens }: FeeMarket,
  token: Address,
  { tokenIn, tokenOut }: Pick<Hop, 'tokenIn' | 'tokenOut'>,
) => tokenIn === token && feeTokens.has(tokenOut)

/**
 * The pool that sells a token's fees beside a trade: the one that takes the least of it for the cost of a settlement
 * with that sale. So a shallow pool is never chosen, nor one whose gas outweighs its price.
 */
const findFeePool = ({ pools, gasPrice, wrappedNative, feeTokens }: FeeMarket, token: Address): FeePool | undefined => {
  let best: { pool: FeePool['pool']; taken: bigint } | undefined
  for (const pool of pools.get(toPairKey(token, wrappedNative)) ?? []) {
    const gas = computeGas(hopGas + computeSwapGas([pool]), false)
    const cost = mulDivCeil(gas * gasPrice, auctionPriceScale, feeTokens.get(wrappedNative) ?? auctionPriceScale)
    const taken = computeSwap(pool, token, 'buy', cost)?.amountIn
    if (taken !== undefined && (!best || taken < best.taken)) best = { pool, taken }
  }
  return best && { pool: best.pool, tokenIn: token, tokenOut: wrappedNative }
}
