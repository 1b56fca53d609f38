import type { Hex } from 'viem'
import type { ChainClient } from './connectChain.ts'
import { devAccounts } from './devAccounts.ts'

/**
 * What creation code would leave on the chain, immutables filled in. Nothing is deployed, and what the constructor writes
 * to storage, or does to others, is lost.
 * @param creationCode with the constructor's arguments behind it
 * @throws Error when it creates nothing
 */
export const findRuntimeCode = async (chain: ChainClient, creationCode: Hex): Promise<Hex> => {
  const { data } = await chain.call({ account: devAccounts[7].address, data: creationCode })
  if (!data) throw new Error('the creation code creates nothing')
  return data
}
