import { type Address, encodeAbiParameters, encodeDeployData, type Hex, keccak256, maxUint256, numberToHex } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { ChainClient } from './connectChain.ts'
import { findRuntimeCode } from './findRuntimeCode.ts'
import { installContract } from './installContract.ts'
import { readCompiledContract } from './readCompiledContract.ts'

/** Place of `allowance` among WETH9's variables. */
const allowanceSlot = 4n

/**
 * The contract that places orders for native tokens, where public networks have theirs. Its arguments are immutables; the
 * approval that its constructor gives is lost with the constructor, and written down here.
 */
export const deployEthFlow = async (chain: ChainClient, network: Network = networks.sepolia): Promise<Address> => {
  const { ethFlow, settlementContract, vaultRelayer, wrappedNative } = network
  const { abi, creationCode } = readCompiledContract('EthFlow')
  const data = encodeDeployData({ abi, bytecode: creationCode, args: [settlementContract, wrappedNative] })
  const code = await findRuntimeCode(chain, data)
  const allowance = computeMappingSlot(
    vaultRelayer,
    computeMappingSlot(ethFlow, numberToHex(allowanceSlot, { size: 32 })),
  )
  await chain.setStorageAt({
    address: wrappedNative,
    index: allowance,
    value: numberToHex(maxUint256, { size: 32 }),
  })
  await installContract(chain, ethFlow, { code })
  return ethFlow
}

/** Where Solidity keeps the value of `key` in the mapping at `slot`. */
const computeMappingSlot = (key: Address, slot: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]))
