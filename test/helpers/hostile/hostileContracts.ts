import {
  type Address,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'

/** Acts of `contracts/test/Misbehaviour.sol`. */
export const misbehaviours = {
  none: 0,
  invalid: 1,
  burnGas: 2,
  revert: 3,
  hugeRevert: 4,
  hugeReturn: 5,
  returnNothing: 6,
  returnZero: 7,
  returnMaximum: 8,
  returnGarbage: 9,
} as const

/** Acts that only `HostileWallet` has. */
export const walletActs = {
  ...misbehaviours,
  refuse: 20,
  /** accepts in a simulation without fees */
  refusePaidGas: 21,
  /** accepts in every second block */
  refuseOddBlocks: 22,
  /** refuses below a threshold of remaining gas */
  refuseLessGas: 23,
  /** accepts where the block has no beneficiary */
  refuseCoinbase: 24,
} as const

export const hostileTokenAbi = parseAbi([
  'function setAct(bytes4 selector, uint8 act)',
  'function setFee(uint256 bps)',
  'function setScale(uint256 percent)',
  'function mint(address to, uint256 amount)',
])
const hostileWalletAbi = parseAbi([
  'function setAct(uint8 act, uint256 threshold)',
  'function execute(address target, bytes data) payable',
])

const tokenFunctions = {
  name: 'name()',
  symbol: 'symbol()',
  decimals: 'decimals()',
  balanceOf: 'balanceOf(address)',
  allowance: 'allowance(address,address)',
  transfer: 'transfer(address,uint256)',
  transferFrom: 'transferFrom(address,address,uint256)',
} as const

export type TokenFunction = keyof typeof tokenFunctions

/** Deploys a contract of `contracts/test`; a token's supply belongs to the account. */
export const deployHostile = async (
  chain: LocalChain,
  account: Address,
  name: 'HostileToken' | 'HostileWallet' | 'HostileHook' | 'LogEmitter',
): Promise<Address> => {
  const { abi, creationCode } = readCompiledContract(name)
  const hash = await chain.deployContract({ account, abi, bytecode: creationCode })
  const { contractAddress } = await waitForReceipt(chain, hash)
  if (!contractAddress) throw new Error(`${name} was not deployed`)
  return contractAddress.toLowerCase() as Address
}

/** Calldata that has one function of a `HostileToken` misbehave from now on. */
export const encodeTokenAct = (tokenFunction: TokenFunction, act: keyof typeof misbehaviours): Hex =>
  encodeFunctionData({
    abi: hostileTokenAbi,
    functionName: 'setAct',
    args: [toFunctionSelector(`function ${tokenFunctions[tokenFunction]}`), misbehaviours[act]],
  })

/** Calldata of any other function of a `HostileToken`. */
export const encodeTokenCall = (
  functionName: Exclude<ContractFunctionName<typeof hostileTokenAbi>, 'setAct' | 'mint'>,
  value: bigint,
): Hex => encodeFunctionData({ abi: hostileTokenAbi, functionName, args: [value] })

/** Calldata that has a `HostileWallet` judge signatures otherwise from now on. */
export const encodeWalletAct = (act: keyof typeof walletActs, threshold = 0n): Hex =>
  encodeFunctionData({ abi: hostileWalletAbi, functionName: 'setAct', args: [walletActs[act], threshold] })

/** Calldata that has a `HostileWallet` make a call. */
export const encodeWalletCall = (target: Address, data: Hex): Hex =>
  encodeFunctionData({ abi: hostileWalletAbi, functionName: 'execute', args: [target, data] })
