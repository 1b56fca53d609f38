import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'

/** Contracts that settle and place orders. */
export type IndexedContracts = Pick<Network, 'chainId' | 'settlementContract' | 'wrappedNative' | 'composableCow'> & {
  /** contracts that place on-chain orders */
  onchainOrderContracts: readonly Address[]
}
