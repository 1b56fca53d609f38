import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  size,
} from 'viem'
import { create2Deployer } from '../../../contracts/create2Deployer.ts'
import { readArtifact } from './readArtifact.ts'

/** A contract at the address that the deterministic deployer gives it. */
export type PlannedContract = {
  name: string
  address: Address
  /** creation code followed by the constructor's arguments */
  initCode: Hex
  /** the code that results; zero where the constructor writes immutables */
  runtimeCode: Hex
  /** upper estimate */
  gas: bigint
}

/** Balancer's vault: an immutable of the settlement contract, used only for its internal balances. */
const balancerVault = '0xba12222222228d8ba445958a75a0704d566bf2c8'

const transactionGas = 53_000n
const gasPerCallDataByte = 16n
const gasPerCodeByte = 200n
/** the constructor's own work; that of the settlement contract also deploys the vault relayer */
const constructorGas = 1_000_000n

export const planContract = (salt: Hex, name: string, initCode: Hex, runtimeCode: Hex): PlannedContract => ({
  name,
  address: getContractAddress({
    opcode: 'CREATE2',
    from: create2Deployer,
    salt,
    bytecode: initCode,
  }).toLowerCase() as Address,
  initCode,
  runtimeCode,
  gas:
    transactionGas +
    gasPerCallDataByte * BigInt(size(initCode) + 32) +
    gasPerCodeByte * BigInt(size(runtimeCode)) +
    constructorGas,
})

/**
 * The settlement contract and its allow-list in deployment order. Uses the published creation code: another compilation
 * has another address.
 * @param manager may add and remove solvers, and upgrade the authenticator
 */
export const planSettlement = (salt: Hex, manager: Address) => {
  const publish = (name: string, file: string, abi: Abi, args: readonly unknown[]): PlannedContract => {
    const { bytecode, deployedBytecode } = readArtifact(`@cowprotocol/contracts/deployments/mainnet/${file}.json`)
    const initCode = args.length === 0 ? bytecode : encodeDeployData({ abi, bytecode, args })
    return planContract(salt, name, initCode, deployedBytecode)
  }
  const implementation = publish('authenticator implementation', 'GPv2AllowListAuthentication_Implementation', [], [])
  const authenticator = publish(
    'authenticator',
    'GPv2AllowListAuthentication_Proxy',
    parseAbi(['constructor(address implementation, address owner, bytes data)']),
    [
      implementation.address,
      manager,
      encodeFunctionData({ abi: parseAbi(['function initializeManager(address)']), args: [manager] }),
    ],
  )
  const settlement = publish(
    'settlement contract, with the vault relayer',
    'GPv2Settlement',
    parseAbi(['constructor(address authenticator, address vault)']),
    [authenticator.address, balancerVault],
  )
  return { implementation, authenticator, settlement }
}
