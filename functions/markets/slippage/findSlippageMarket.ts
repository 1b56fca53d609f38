import type { Network } from '#shared/networks.ts'
import { findPriceHistory, type PriceHistory, type PriceHistoryDeps } from '#shared/slippage/findPriceHistory.ts'
import type { MarketPair } from './marketPair.ts'

export type MarketDeps = PriceHistoryDeps & {
  /** throws when the network is not served */
  checkServed: (network: Network) => void
}

/** Known facts of the two tokens of a market. */
export const findSlippageMarket = async (
  deps: MarketDeps,
  network: Network,
  pair: MarketPair,
): Promise<PriceHistory> => {
  deps.checkServed(network)
  return findPriceHistory(deps, network, pair)
}
