import type { Hex } from 'viem'
import type { LocalChain } from '../connectLocalChain.ts'
import { devAccounts } from '../devAccounts.ts'

/**
 * Runtime code that creation code would deploy, immutables included. Nothing is deployed; storage and calls of the
 * constructor have no effect.
 * @param creationCode followed by the constructor's arguments
 * @throws Error when it creates no code
 */
export const findRuntimeCode = async (chain: LocalChain, creationCode: Hex): Promise<Hex> => {
  const { data } = await chain.call({ account: devAccounts[7].address, data: creationCode })
  if (!data) throw new Error('the creation code returns no code')
  return data
}
