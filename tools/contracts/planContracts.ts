import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  size,
  stringToHex,
} from 'viem'
import { readArtifact } from '../stack/chain/contracts/readArtifact.ts'
import { readCompiledContract } from '../stack/chain/contracts/readCompiledContract.ts'
import { readMulticall3 } from '../stack/chain/contracts/readMulticall3.ts'
import { create2Deployer } from './create2Deployer.ts'

/** A contract of the plan, at the address that the deterministic deployer gives it. */
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

export type ContractPlan = {
  salt: Hex
  manager: Address
  /** in deployment order */
  contracts: PlannedContract[]
  authenticator: Address
  /** the setting `CONTRACTS` */
  addresses: {
    settlement: Address
    vaultRelayer: Address
    hooksTrampoline: Address
    ethFlow: Address
    /** only where the chain lacks it at its public address */
    multicall3?: Address
  }
}

/** Balancer's vault: an immutable of the settlement contract, used only for its internal balances. */
const balancerVault = '0xba12222222228d8ba445958a75a0704d566bf2c8'

/**
 * The contracts of an order book and their addresses, which follow from salt, manager and wrapped native token.
 * @param options.salt any text of at most 32 bytes
 * @param options.manager may add and remove solvers, and upgrade the authenticator
 * @param options.lacksMulticall3 whether the chain has no Multicall3 at its public address; it is deployed then
 */
export const planContracts = (options: {
  salt: string
  manager: Address
  wrappedNative: Address
  lacksMulticall3?: boolean
}): ContractPlan => {
  const { manager, wrappedNative } = options
  const salt = stringToHex(options.salt, { size: 32 })
  const plan = (name: string, initCode: Hex, runtimeCode: Hex): PlannedContract => ({
    name,
    address: toAddress({ salt, initCode }),
    initCode,
    runtimeCode,
    gas: computeGas(initCode, runtimeCode),
  })
  const published = (name: string, file: string, abi: Abi, args: readonly unknown[]): PlannedContract => {
    const { bytecode, deployedBytecode } = readArtifact(`@cowprotocol/contracts/deployments/mainnet/${file}.json`)
    const initCode = args.length === 0 ? bytecode : encodeDeployData({ abi, bytecode, args })
    return plan(name, initCode, deployedBytecode)
  }
  const compiled = (name: string, file: string, args: readonly unknown[]): PlannedContract => {
    const { abi, creationCode, runtimeCode } = readCompiledContract(file)
    return plan(name, encodeDeployData({ abi, bytecode: creationCode, args }), runtimeCode)
  }

  const implementation = published('authenticator implementation', 'GPv2AllowListAuthentication_Implementation', [], [])
  const authenticator = published(
    'authenticator',
    'GPv2AllowListAuthentication_Proxy',
    parseAbi(['constructor(address implementation, address owner, bytes data)']),
    [
      implementation.address,
      manager,
      encodeFunctionData({ abi: parseAbi(['function initializeManager(address)']), args: [manager] }),
    ],
  )
  const settlement = published(
    'settlement contract, with the vault relayer',
    'GPv2Settlement',
    parseAbi(['constructor(address authenticator, address vault)']),
    [authenticator.address, balancerVault],
  )
  const trampoline = compiled('hooks trampoline', 'HooksTrampoline', [settlement.address])
  const ethFlow = compiled('contract for native sales', 'EthFlow', [settlement.address, wrappedNative])
  const { creationCode, runtimeCode } = readMulticall3()
  const multicall3 = options.lacksMulticall3 ? plan('Multicall3', creationCode, runtimeCode) : undefined
  return {
    salt,
    manager,
    contracts: [implementation, authenticator, settlement, trampoline, ethFlow, ...(multicall3 ? [multicall3] : [])],
    authenticator: authenticator.address,
    addresses: {
      settlement: settlement.address,
      // made by the settlement contract's constructor
      vaultRelayer: getContractAddress({ from: settlement.address, nonce: 1n }).toLowerCase() as Address,
      hooksTrampoline: trampoline.address,
      ethFlow: ethFlow.address,
      ...(multicall3 ? { multicall3: multicall3.address } : {}),
    },
  }
}

const toAddress = ({ salt, initCode }: { salt: Hex; initCode: Hex }): Address =>
  getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode: initCode }).toLowerCase() as Address

const transactionGas = 53_000n
const gasPerCallDataByte = 16n
const gasPerCodeByte = 200n
/** the constructor's own work; that of the settlement contract also deploys the vault relayer */
const constructorGas = 1_000_000n

const computeGas = (initCode: Hex, runtimeCode: Hex): bigint =>
  transactionGas +
  gasPerCallDataByte * BigInt(size(initCode) + 32) +
  gasPerCodeByte * BigInt(size(runtimeCode)) +
  constructorGas
