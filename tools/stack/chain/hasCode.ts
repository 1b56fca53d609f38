import type { Address } from 'viem'
import type { ChainClient } from './connectChain.ts'

/** Whether there is a contract at `address`. */
export const hasCode = async (chain: ChainClient, address: Address): Promise<boolean> =>
  (await chain.getCode({ address })) !== undefined
