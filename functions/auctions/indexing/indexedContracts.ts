import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'

/** Where orders are settled and placed. */
export type IndexedContracts = Pick<Network, 'chainId' | 'settlementContract' | 'wrappedNative'> & {
  /** contracts that place orders on-chain */
  onchainOrderContracts: readonly Address[]
}
