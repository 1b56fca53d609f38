import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { HolderStore } from './holderStore.ts'

export type HolderIndexDeps = {
  chain: ChainClient
  store: HolderStore
  token: Address
  /** the first block with a log of the token */
  startBlock: number
  /** number of largest holders that are read again on each run */
  shown: number
  /** blocks per log query; adapts to the node */
  span: { blocks: number }
  /** Unix milliseconds */
  now: () => number
}
