import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { Network } from '#shared/networks.ts'
import type { OrderFactsDeps } from '#shared/orders/chainFacts/orderQuery.ts'
import type { FindPauses } from '#shared/pauses/pauses.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'
import type { TokenFault } from '#shared/tokens/tokenFault.ts'
import type { FindPrice } from './findExecutablePrice.ts'
import type { DraftRules } from './readDraft.ts'

/** Rules, chain and solvers: the sources of a dry run beside the stored facts. */
export type SimulationDeps = DraftRules &
  Omit<OrderFactsDeps, 'network'> & {
    network: Network
    /** maximum gas of settling one order, gas units */
    maxGas: bigint
    /** setting of the auctions Worker */
    minValiditySeconds: number
    outOfMarketBps: number
    /** capabilities of each configured solver's driver */
    solverFeatures: readonly ReadonlySet<SolverFeature>[]
    /** Unix milliseconds */
    now: () => number
    findPrice: FindPrice
    findPauses: FindPauses
    /** proof that one of the tokens cannot be settled; undefined without proof, also when the node fails */
    findTokenFault: (tokens: { sellToken: Address; buyToken: Address }) => Promise<TokenFault | undefined>
  }

export type DryRunDeps = SimulationDeps & { database: Database }
