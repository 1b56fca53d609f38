import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { DriverQuote, DriverQuoteQuery } from '#shared/solvers/driverApi.ts'
import { buildPaths, type Strategy } from './buildPaths.ts'
import { buildSwapInteractions } from './buildSwapInteractions.ts'
import { computeGas } from './computeGas.ts'
import { computeHopCost } from './computeHopCost.ts'
import { DriverError } from './DriverError.ts'
import { findPools } from './findPools.ts'
import { routeTrade } from './routeTrade.ts'

export interface RoutingDeps {
  network: Network
  strategy: Strategy
  factory: Address
  baseTokens: readonly Address[]
  /** the account that sends the settlements */
  solver: Address
}

/**
 * The best route for an amount, as it would be settled now. The native token is bought wrapped and unwrapped in the
 * settlement. `clearingPrices` are the amounts themselves, price(sell) = out and price(buy) = in, so that either amount
 * follows from the other to the atom.
 * @throws DriverError `QuoteSameTokens`; `QuotingFailed` when no route can trade the amount
 */
export const findQuote = async (
  client: ChainClient,
  { network, strategy, factory, baseTokens, solver }: RoutingDeps,
  { sellToken, buyToken, kind, amount }: DriverQuoteQuery,
): Promise<DriverQuote> => {
  if (sellToken === buyToken) throw new DriverError('QuoteSameTokens', 'sell token and buy token are the same')
  if (sellToken === nativeSentinel) throw new DriverError('QuotingFailed', 'the native token is sold wrapped')
  const unwraps = buyToken === nativeSentinel
  const bought = unwraps ? network.wrappedNative : buyToken
  const paths = buildPaths(sellToken, bought, strategy, baseTokens)
  const [pools, gasPrice] = await Promise.all([findPools(client, factory, paths), client.getGasPrice()])
  const inexact = kind === 'sell' ? bought : sellToken
  const hopCost = computeHopCost(pools, inexact, network.wrappedNative, gasPrice)
  const route = routeTrade(pools, paths, kind, amount, hopCost)
  if (!route) throw new DriverError('QuotingFailed', 'no route for this pair and amount')
  return {
    clearingPrices: { [sellToken]: route.amountOut, [buyToken]: route.amountIn },
    preInteractions: [],
    interactions: buildSwapInteractions(route, network.settlementContract, unwraps ? network.wrappedNative : undefined),
    solver,
    gas: Number(computeGas(route.hops.length, unwraps)),
  }
}
