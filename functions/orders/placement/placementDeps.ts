import type { Address, Hex } from 'viem'
import type { OrderBounds } from '#schema/queries/orders/orderBounds.ts'
import type { InsertOutcome, NewOrder } from '#schema/queries/orders/orders.ts'
import type { PlacementFacts, PlacementQuery } from '#schema/queries/orders/placementFacts.ts'
import type { Pricing } from '#schema/queries/orders/pricing.ts'
import type { Replacement } from '#schema/queries/orders/replacement.ts'
import type { Network } from '#shared/networks.ts'
import type { OrderQuery } from '#shared/orders/chainFacts/orderQuery.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'
import type { RecoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import type { FindToken } from '#shared/tokens/tokenWords.ts'

/** What placing an order needs from the network, the database and the chain. */
export type PlacementDeps = {
  network: Pick<Network, 'chainId' | 'wrappedNative' | 'settlementContract' | 'vaultRelayer' | 'hooksTrampoline'>
  /** EIP-712 domain of the network's settlement contract */
  domainSeparator: Hex
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
  /** maximum numbers of open orders */
  bounds: Omit<OrderBounds, 'now'>
  /** maximum gas of settling one order, gas units */
  maxGas: bigint
  /** least remaining validity of a new order */
  minValiditySeconds: number
  /** Unix milliseconds */
  now: () => number
  recoverPublicKey: RecoverPublicKey
  /**
   * rejects with `UnsupportedToken` when a token is proven to lose amounts; resolves without proof and when the node
   * fails
   * @param isNew false: only cached verdicts count
   */
  checkTokenFaults: (tokens: { sellToken: Address; buyToken: Address }, isNew: boolean) => Promise<void>
  /** known token facts, for error descriptions */
  findTokens: (tokens: readonly Address[]) => Promise<FindToken>
  /** rejects with `ServiceUnavailable` when the node fails or exceeds the time limit */
  findOrderFacts: (query: OrderQuery) => Promise<ChainFacts>
  selectPlacementFacts: (order: PlacementQuery, now: number) => Promise<PlacementFacts>
  insertOrder: (
    order: NewOrder,
    replacement: Replacement | null,
    bounds: OrderBounds,
    pricing: Pricing,
  ) => Promise<InsertOutcome>
}
