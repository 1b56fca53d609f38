import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { AuctionPriceDeps } from '../book/requestPrices.ts'

/** What the evaluation of conditional orders uses and its settings. */
export type StrategyDeps = AuctionPriceDeps & {
  database: Database
  chain: ChainClient
  unsupportedTokens: ReadonlySet<Address>
}
