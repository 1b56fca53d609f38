import type { Address } from 'viem'
import type { LocalChain } from '../connectLocalChain.ts'

/** Whether there is a contract at `address`. */
export const hasCode = async (chain: LocalChain, address: Address): Promise<boolean> =>
  (await chain.getCode({ address })) !== undefined
