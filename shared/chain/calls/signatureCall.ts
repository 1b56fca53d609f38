import { encodeFunctionData, type Hex, parseAbi } from 'viem'

const eip1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

/**
 * Return value of a contract's `isValidSignature(bytes32, bytes)` for an accepted signature (EIP-1271): the selector of that
 * function. Any other result, including a revert, means rejected.
 */
const eip1271MagicValue = '0x1626ba7e'

/** Calldata of `isValidSignature(bytes32,bytes)` (EIP-1271). */
export const encodeSignatureCheck = (digest: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [digest, signature] })

/** Whether the return data of `isValidSignature` accepts the signature. */
export const isAccepted = (returnData: Hex | undefined): boolean =>
  returnData !== undefined && returnData.length >= 66 && returnData.startsWith(eip1271MagicValue)
