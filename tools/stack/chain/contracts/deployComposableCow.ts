import { type Address, encodeDeployData, zeroAddress } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { findRuntimeCode } from './findRuntimeCode.ts'
import { installContract } from './installContract.ts'
import { listHandlers } from './listHandlers.ts'
import { readCompiledContract } from './readCompiledContract.ts'

/**
 * The registry of conditional orders and its handlers at their public addresses, none of them on a network without a
 * registry. Their arguments are immutables.
 */
export const deployComposableCow = async (chain: LocalChain, network: Network = networks.sepolia): Promise<Address> => {
  const { composableCow, settlementContract } = network
  if (composableCow === zeroAddress) return composableCow
  const install = async (address: Address, file: string, args: readonly unknown[]): Promise<void> => {
    const { abi, creationCode } = readCompiledContract(file)
    const code = await findRuntimeCode(chain, encodeDeployData({ abi, bytecode: creationCode, args }))
    await installContract(chain, address, { code })
  }
  await install(composableCow, 'ComposableCow', [settlementContract])
  for (const { publicAddress, file, args } of listHandlers(composableCow)) await install(publicAddress, file, args)
  return composableCow
}
