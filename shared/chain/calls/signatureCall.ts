import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { eip1271MagicValue } from '../../signing/eip1271MagicValue.ts'

const eip1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

/** Calldata of `isValidSignature(bytes32,bytes)` (EIP-1271). */
export const encodeSignatureCheck = (digest: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [digest, signature] })

/** Whether the return data of `isValidSignature` accepts the signature. */
export const isAccepted = (returnData: Hex | undefined): boolean =>
  returnData !== undefined && returnData.length >= 66 && returnData.startsWith(eip1271MagicValue)
