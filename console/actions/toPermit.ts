import { domainSeparator, type Hex, keccak256, stringToHex } from 'viem'
import type { Permit } from './permit.ts'

const permitType = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'
const permitTypeHash = keccak256(stringToHex(permitType))

/** Results of a token's views; undefined for a view that it lacks. */
export type PermitFacts = {
  name: string | undefined
  version: string | undefined
  nonce: bigint | undefined
  separator: Hex | undefined
  typeHash: Hex | undefined
}

/**
 * The domain and nonce of a token's permits. Tokens do not announce EIP-2612, so the domain of the name and a common
 * version has to give the token's own separator, and a published type hash that of the standard: DAI's is not.
 * @returns null for a token without such permits
 */
export const toPermit = (
  { name, version, nonce, separator, typeHash }: PermitFacts,
  token: { address: string; chainId: number },
): Permit | null => {
  if (name === undefined || nonce === undefined || separator === undefined) return null
  if (typeHash !== undefined && typeHash !== permitTypeHash) return null
  const verifyingContract = token.address as Hex
  for (const candidate of [version, '1', '2']) {
    if (candidate === undefined) continue
    const domain = { name, version: candidate, chainId: token.chainId, verifyingContract }
    if (domainSeparator({ domain }) === separator) return { domain, nonce }
  }
  return null
}
