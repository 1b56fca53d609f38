import { type Address, encodeDeployData } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { findRuntimeCode } from './findRuntimeCode.ts'
import { installContract } from './installContract.ts'
import { readCompiledContract } from './readCompiledContract.ts'

/** The contract that runs hooks, at its public address. Its one argument is an immutable. */
export const deployHooksTrampoline = async (
  chain: LocalChain,
  network: Network = networks.sepolia,
): Promise<Address> => {
  const { hooksTrampoline, settlementContract } = network
  const { abi, creationCode } = readCompiledContract('HooksTrampoline')
  const data = encodeDeployData({ abi, bytecode: creationCode, args: [settlementContract] })
  await installContract(chain, hooksTrampoline, { code: await findRuntimeCode(chain, data) })
  return hooksTrampoline
}
