import {
  type Address,
  decodeFunctionResult,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  size,
  slice,
  stringToHex,
} from 'viem'
import { readSingleWord } from '../chain/calls/readWord.ts'
import type { SimulatedCall } from '../chain/calls/simulateCalls.ts'
import { domainType } from '../signing/typedDomain.ts'

/** Domain and nonce of an owner's next approval by signature (EIP-2612). */
export type Permit = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address }
  nonce: bigint
}

/** The approved call: atoms, and its last valid second, Unix. */
export type PermitTerms = { owner: Address; spender: Address; value: bigint; deadline: number }

const permitAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])
const typeHash = BigInt(
  keccak256(stringToHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)')),
)
/** Gas units. A permit of a token behind a proxy uses about 60,000. */
const hookGasLimit = '80000'
const readGas = 100_000n
const maxResultBytes = 512
const signatureBytes = 96

/** Views of a token that describe its permits, in the order of `readPermit`. */
export const listPermitViews = (token: Address, owner: Address): SimulatedCall[] =>
  [
    encodeFunctionData({ abi: permitAbi, functionName: 'name' }),
    encodeFunctionData({ abi: permitAbi, functionName: 'version' }),
    encodeFunctionData({ abi: permitAbi, functionName: 'nonces', args: [owner] }),
    encodeFunctionData({ abi: permitAbi, functionName: 'DOMAIN_SEPARATOR' }),
    encodeFunctionData({ abi: permitAbi, functionName: 'PERMIT_TYPEHASH' }),
  ].map((data) => ({ to: token, data, gas: readGas }))

/**
 * Domain and nonce of a token's permits. Tokens do not announce EIP-2612, so the domain of its name and a common version
 * has to give the token's own separator, and a published type hash has to be that of the standard: DAI's is not.
 * @param returned return data of `listPermitViews`; undefined for a view that reverted
 * @returns undefined for a token without such permits
 */
export const readPermit = (
  returned: readonly (Hex | undefined)[],
  token: { address: Address; chainId: number },
): Permit | undefined => {
  const name = decodeText('name', returned[0])
  const version = decodeText('version', returned[1])
  const nonce = readSingleWord(returned[2])
  const separator = readSingleWord(returned[3])
  const published = readSingleWord(returned[4])
  if (name === undefined || nonce === undefined || separator === undefined) return undefined
  if (published !== undefined && published !== typeHash) return undefined
  for (const candidate of new Set([version ?? '1', '1', '2'])) {
    const domain = { name, version: candidate, chainId: token.chainId, verifyingContract: token.address }
    if (BigInt(domainSeparator({ domain })) === separator) return { domain, nonce }
  }
  return undefined
}

/** A fallback function accepts any call, so the data of a view may be anything. */
const decodeText = (functionName: 'name' | 'version', data: Hex | undefined): string | undefined => {
  if (data === undefined || size(data) > maxResultBytes) return undefined
  try {
    return decodeFunctionResult({ abi: permitAbi, functionName, data })
  } catch {
    return undefined
  }
}

/** The argument of eth_signTypedData_v4. */
export const buildPermitData = ({ domain, nonce }: Permit, { owner, spender, value, deadline }: PermitTerms) => ({
  domain,
  types: {
    EIP712Domain: domainType,
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit' as const,
  message: { owner, spender, value: value.toString(), nonce: nonce.toString(), deadline: deadline.toString() },
})

/** The pre-hook of a permit without its signature: v, r and s, 32 bytes each, follow its `callData`. */
export const buildUnsignedHook = (token: Address, { owner, spender, value, deadline }: PermitTerms) => {
  const none = `0x${'00'.repeat(32)}` as const
  const args = [owner, spender, value, BigInt(deadline), 27, none, none] as const
  const callData = encodeFunctionData({ abi: permitAbi, functionName: 'permit', args })
  return { target: token, callData: slice(callData, 0, size(callData) - signatureBytes), gasLimit: hookGasLimit }
}
