import { type Address, encodeAbiParameters, encodeDeployData, type Hex, keccak256, maxUint256, numberToHex } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
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

/** Storage slot of `key` in the Solidity mapping at `slot`. */
const computeMappingSlot = (key: Address, slot: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]))
