import type { Address } from 'viem'
import { multicall3Address } from '#shared/networks/multicall3Address.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { installContract } from './installContract.ts'
import { readMulticall3 } from './readMulticall3.ts'

/** Multicall3 at its public address. */
export const deployMulticall3 = async (chain: LocalChain): Promise<Address> => {
  await installContract(chain, multicall3Address, { code: readMulticall3().runtimeCode })
  return multicall3Address
}
