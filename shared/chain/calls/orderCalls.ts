import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { eip1271MagicValue } from '../../signing/eip1271MagicValue.ts'

const eip1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

const toArgument = (address: Address): string => address.slice(2).toLowerCase().padStart(64, '0')

/**
 * Calls that say whether an order can be settled, and how their return data is read: the same wherever the chain is asked. A cut makes
 * thousands of the first two, so they are written as text: `balanceOf(address)`, `allowance(address,address)`.
 */
export const encodeBalance = (owner: Address): Hex => `0x70a08231${toArgument(owner)}`

export const encodeAllowance = (owner: Address, spender: Address): Hex =>
  `0xdd62ed3e${toArgument(owner)}${toArgument(spender)}`

export const encodeSignatureCheck = (digest: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [digest, signature] })

/** More than one word is read by its first, as contracts do; less is no amount. */
export const toAmount = (returnData: Hex | undefined): bigint | undefined =>
  returnData && returnData.length >= 66 ? BigInt(returnData.slice(0, 66)) : undefined

/** Whether the return data of `isValidSignature` accepts the signature. */
export const isAccepted = (returnData: Hex | undefined): boolean =>
  returnData !== undefined && returnData.length >= 66 && returnData.startsWith(eip1271MagicValue)

/** Whether the vault relayer takes a transfer as made: without return data, as old tokens have none, or with one word that is not 0. */
export const isAgreed = (returnData: Hex): boolean =>
  returnData === '0x' || (returnData.length === 66 && BigInt(returnData) !== 0n)
