import { type Address, encodeDeployData, maxUint256, numberToHex } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { toMappingSlot } from '../toMappingSlot.ts'
import { findRuntimeCode } from './findRuntimeCode.ts'
import { installContract } from './installContract.ts'
import { readCompiledContract } from './readCompiledContract.ts'

/** Slot of `allowance` in WETH9. */
const allowanceSlot = 4n

/**
 * The contract for on-chain orders of native tokens, at its public address. Its arguments are immutables; the approval
 * of its constructor is lost and written to storage here.
 */
export const deployEthFlow = async (chain: LocalChain, network: Network = networks.sepolia): Promise<Address> => {
  const { ethFlow, settlementContract, vaultRelayer, wrappedNative } = network
  const { abi, creationCode } = readCompiledContract('EthFlow')
  const data = encodeDeployData({ abi, bytecode: creationCode, args: [settlementContract, wrappedNative] })
  const code = await findRuntimeCode(chain, data)
  await chain.setStorageAt({
    address: wrappedNative,
    index: toMappingSlot(vaultRelayer, toMappingSlot(ethFlow, allowanceSlot)),
    value: numberToHex(maxUint256, { size: 32 }),
  })
  await installContract(chain, ethFlow, { code })
  return ethFlow
}
