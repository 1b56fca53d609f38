import type { Address } from 'viem'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { type DriverQuote, type DriverQuoteQuery, maxTolerancePpm } from '#shared/solvers/driverApi.ts'
import { computeFeeGas } from '../batches/convertFees.ts'
import { DriverError } from '../DriverError.ts'
import type { FindQuoteMarket } from '../pools/createQuoteMarket.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { buildPaths, type Strategy } from '../routing/buildPaths.ts'
import { buildSwapInteractions } from '../routing/buildSwapInteractions.ts'
import { computeGas, computeSwapGas, crossedTickGas } from '../routing/computeGas.ts'
import { computeHopCost } from '../routing/computeHopCost.ts'
import { computeRoute } from '../routing/computeRoute.ts'
import { countCrossedTicks } from '../routing/countCrossedTicks.ts'
import { listFeePaths } from '../routing/memoizePaths.ts'
import { routeTrade } from '../routing/routeTrade.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'
import { buildUnwrapInteractions } from './buildUnwrapInteractions.ts'
import { toInclusionTolerance } from './repriceSettlement.ts'

const wholePpm = 1_000_000n

export interface RoutingDeps {
  network: Network
  strategy: Strategy
  factory: Address
  baseTokens: readonly Address[]
  /** the account that sends the settlements */
  solver: Address
  /** millionths that proposed amounts lie below the pools' exact ones, out of each order's slack */
  tolerance: bigint
}

/**
 * Finds the best route for an amount, as it would be settled now. The native token is bought wrapped and unwrapped in
 * the settlement. `clearingPrices` are the amounts, price(sell) = out and price(buy) = in, so that each amount follows
 * from the other to the atom.
 * @param timeLeftMs to the deadline, milliseconds
 * @throws DriverError `QuoteSameTokens`; `QuotingFailed` when no route can trade the amount; `Unavailable` and viem
 *   errors as `findMarket`
 */
export const findQuote = async (
  client: ChainClient,
  findMarket: FindQuoteMarket,
  { network, strategy, factory, baseTokens, solver, tolerance }: RoutingDeps,
  { sellToken, buyToken, kind, amount }: DriverQuoteQuery,
  timeLeftMs: number,
): Promise<DriverQuote> => {
  if (sellToken === buyToken) throw new DriverError('QuoteSameTokens', 'sell token and buy token are the same')
  if (sellToken === nativeSentinel) throw new DriverError('QuotingFailed', 'the native token is sold wrapped')
  const unwraps = buyToken === nativeSentinel
  const bought = unwraps ? network.wrappedNative : buyToken
  const paths = buildPaths(sellToken, bought, strategy, baseTokens)
  const readPaths = [...paths, ...listFeePaths([{ sellToken }], network.wrappedNative)]
  const factories = { uniswapV2Factory: factory, uniswapV3Factory: network.uniswapV3.factory }
  const { pools, gasPrice } = await findMarket(client, factories, readPaths, timeLeftMs)
  const inexact = kind === 'sell' ? bought : sellToken
  const hopCost = computeHopCost(pools, inexact, network.wrappedNative, gasPrice)
  const { wrappedNative } = network
  const fees = {
    pools,
    gasPrice,
    wrappedNative,
    feeTokens: new Map([wrappedNative, ...baseTokens].map((token) => [token, auctionPriceScale])),
  }
  const route = routeTrade(pools, paths, kind, amount, hopCost, (legs) => computeFeeGas(fees, sellToken, [legs]))
  if (!route) throw new DriverError('QuotingFailed', 'no route for this pair and amount')
  const legs = toLegs(route)
  const swapGas =
    computeSwapGas(legs) + countCrossedTicks(route) * crossedTickGas + (computeFeeGas(fees, sellToken, [legs]) ?? 0n)
  return {
    clearingPrices: { [sellToken]: route.amountOut, [buyToken]: route.amountIn },
    preInteractions: [],
    interactions: [
      ...buildSwapInteractions(route, network),
      ...buildUnwrapInteractions(network.wrappedNative, unwraps ? route.amountOut : 0n),
    ],
    solver,
    gas: Number(computeGas(swapGas, unwraps)),
    tolerancePpm: computeTolerancePpm(route, kind, toInclusionTolerance(tolerance)),
  }
}

const toLegs = ({ hops }: SwapRoute): Leg[] =>
  hops.map(({ tokenIn, tokenOut, pool }) => ({ tokenIn, tokenOut, kind: pool.kind, pools: [pool] }))

/** What the settlement leaves to the pools of a route, millionths of the amount that is not exact, rounded up. */
const computeTolerancePpm = (route: SwapRoute, kind: 'sell' | 'buy', tolerance: bigint) => {
  const { amountIn, amountOut } = route
  const tolerant = computeRoute(toLegs(route), kind, kind === 'sell' ? amountIn : amountOut, tolerance)
  if (!tolerant || route.hops.length === 0) return 0
  const [left, exact] =
    kind === 'sell' ? [amountOut - tolerant.amountOut, amountOut] : [tolerant.amountIn - amountIn, amountIn]
  return Math.min(maxTolerancePpm, Number((left * wholePpm + exact - 1n) / exact))
}
