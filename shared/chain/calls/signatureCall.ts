import { type Address, concatHex, encodeFunctionData, type Hex, pad, parseAbi, size, slice } from 'viem'
import { minOf } from '../../amounts/minMax.ts'
import type { Network } from '../../networks.ts'
import { maxTransactionGas } from '../maxTransactionGas.ts'
import { decodeAsSettlement, encodeAsSettlement, placeCode } from './asSettlement.ts'
import type { SimulatedCall, StateOverrides } from './simulateCalls.ts'

const eip1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

/**
 * Return value of a contract's `isValidSignature(bytes32, bytes)` for an accepted signature (EIP-1271): the selector of that
 * function. Any other result, including a revert, means rejected.
 */
const eip1271MagicValue = '0x1626ba7e'

/** Calldata of `isValidSignature(bytes32,bytes)` (EIP-1271). */
export const encodeSignatureCheck = (digest: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [digest, signature] })

/** Precompiled contracts are below this address (EIP-7587). */
const endOfPrecompiles = 0x200n

/**
 * Whether the return data of an owner's `isValidSignature` accepts the signature. Precompiled contracts never do: the
 * settlement contract demands code, which they lack, but the identity function (4) echoes the selector, and a signature
 * can be searched whose SHA-256 (2) begins with it.
 */
export const isAccepted = (owner: Address, returnData: Hex | undefined): boolean =>
  BigInt(owner) >= endOfPrecompiles && isMagicWord(returnData)

const isMagicWord = (returnData: Hex | undefined): boolean =>
  returnData !== undefined && returnData.length >= 66 && returnData.startsWith(eip1271MagicValue)

/**
 * EVM code that makes a static call, as the settlement contract checks a signature: the first word of its calldata is the
 * target, the rest the target's calldata. It returns the size of the target's code in one word, and the first word that
 * the target returned if it returned one.
 *     memory[0] = extcodesize(target)
 *     n = staticcall(target, rest) and returndatasize > 31 ? 32 : 0
 *     return memory[0, 32 + n)
 */
const staticCallCode: Hex = concatHex([
  // stack: target; memory: the size of its code, then its calldata
  ...(['0x600035', '0x803b600052', '0x60203603', '0x806020602037'] as const),
  // static call with all gas
  '0x6000600082602085',
  '0x5afa',
  // n, copied behind the size
  ...(['0x601f3d11', '0x02', '0x60051b', '0x80600060203e', '0x6020016000f3'] as const),
])

/** Outcome of a signature check. `noContract`: the owner has no code */
export type SignatureVerdict = 'accepted' | 'rejected' | 'noContract'

/** State override that `buildSignatureCheck` needs in an `eth_call`. */
export const signatureState = placeCode(staticCallCode)

/** The same for a simulation. */
export const signatureOverrides: StateOverrides = Object.fromEntries(
  signatureState.map(({ address }) => [address, { code: staticCallCode }]),
)

/**
 * Checks a signature of a contract exactly as the settlement contract does: by a static call from its address.
 * @param gas gas units of the check
 */
export const buildSignatureCheck = (
  { settlementContract }: Pick<Network, 'settlementContract'>,
  { owner, digest, signature }: { owner: Address; digest: Hex; signature: Hex },
  gas: bigint,
): Required<Pick<SimulatedCall, 'to' | 'data' | 'gas'>> => ({
  to: settlementContract,
  data: encodeAsSettlement(concatHex([pad(owner), encodeSignatureCheck(digest, signature)])),
  // each of the nested calls forwards all but 1/64 of its gas
  gas: minOf(gas + gas / 16n + 100_000n, maxTransactionGas),
})

/** @returns undefined when the node ran no check */
export const readSignatureVerdict = (returnData: Hex | undefined): SignatureVerdict | undefined => {
  const data = decodeAsSettlement(returnData)
  if (data === undefined || size(data) < 32) return undefined
  if (BigInt(slice(data, 0, 32)) === 0n) return 'noContract'
  return size(data) >= 64 && isMagicWord(slice(data, 32)) ? 'accepted' : 'rejected'
}

/** A verdict as facts of an order; without one the signature counts as rejected. */
export const toSignatureFacts = (verdict: SignatureVerdict | undefined) => ({
  isSigned: verdict === 'accepted',
  hasContract: verdict === undefined ? undefined : verdict !== 'noContract',
})
