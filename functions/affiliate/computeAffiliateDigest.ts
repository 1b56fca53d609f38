import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address, Hex } from 'viem'
import { computeTypedDataDigest } from '#shared/signing/computeTypedDataDigest.ts'
import { fromHex, toHex } from '#shared/signing/hex.ts'

const hashText = (text: string): Uint8Array => keccak_256(utf8ToBytes(text))

/** Registrations are always signed for Ethereum mainnet, also for trades on other networks. */
export const signedChainId = 1

/** Members of the signed message. */
export const affiliateCodeType = [
  { name: 'walletAddress', type: 'address' },
  { name: 'code', type: 'string' },
  { name: 'chainId', type: 'uint256' },
] as const

/** Signing domain of a deployment, without chain or contract. */
export const toAffiliateDomain = (serviceName: string) => ({ name: `${serviceName} Affiliate`, version: '1' })

const domainTypeHash = hashText('EIP712Domain(string name,string version)')
const codeTypeHash = hashText(
  `AffiliateCode(${affiliateCodeType.map(({ name, type }) => `${type} ${name}`).join(',')})`,
)
const chainIdWord = new Uint8Array(32).fill(signedChainId, 31)

/**
 * EIP-712 digest of a registration, message `AffiliateCode { walletAddress, code, chainId: 1 }` (interface
 * specification, Authentication 3).
 * @param code the text as sent by the client
 * @throws RangeError when the wallet is not an address
 */
export const computeAffiliateDigest = (serviceName: string, walletAddress: Address, code: string): Hex => {
  const { name, version } = toAffiliateDomain(serviceName)
  const domainSeparator = keccak_256(concatBytes(domainTypeHash, hashText(name), hashText(version)))
  const wallet = new Uint8Array(32)
  wallet.set(fromHex(walletAddress, 20, 'walletAddress'), 12)
  return computeTypedDataDigest(
    toHex(domainSeparator),
    keccak_256(concatBytes(codeTypeHash, wallet, hashText(code), chainIdWord)),
  )
}
