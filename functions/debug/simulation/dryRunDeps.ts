import type { Address, Hex } from 'viem'
import type { DryRunFacts, DryRunQuery } from '#schema/queries/debug/dryRunFacts.ts'
import type { Network } from '#shared/networks.ts'
import type { OrderFactsDeps } from '#shared/orders/chainFacts/orderQuery.ts'
import type { TokenFault } from '#shared/tokens/tokenFault.ts'
import type { FindPrice } from './findExecutablePrice.ts'
import type { DraftRules } from './readDraft.ts'

export type DryRunDeps = DraftRules &
  Omit<OrderFactsDeps, 'network'> & {
    network: Network
    /** maximum gas of settling one order, gas units */
    maxGas: bigint
    /** setting of the auctions Worker */
    minValiditySeconds: number
    outOfMarketBps: number
    /** Unix milliseconds */
    now: () => number
    findPrice: FindPrice
    /** proof that one of the tokens cannot be settled; undefined without proof, also when the node fails */
    findTokenFault: (tokens: { sellToken: Address; buyToken: Address }) => Promise<TokenFault | undefined>
    selectFacts: (query: DryRunQuery) => Promise<DryRunFacts>
    selectStoredFacts: (uid: Hex) => Promise<DryRunFacts>
  }
