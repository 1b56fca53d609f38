import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address, Hex } from 'viem'
import { computeTypedDataDigest } from '#shared/signing/computeTypedDataDigest.ts'
import { fromHex, toHex } from '#shared/signing/hex.ts'

const hashText = (text: string): Uint8Array => keccak_256(utf8ToBytes(text))

const domainTypeHash = hashText('EIP712Domain(string name,string version)')
const versionHash = hashText('1')
const codeTypeHash = hashText('AffiliateCode(address walletAddress,string code,uint256 chainId)')

/** Registrations are always signed for Ethereum mainnet, also for trades on other networks. */
const chainIdWord = new Uint8Array(32).fill(1, 31)

/**
 * EIP-712 digest of a registration: domain `{ name: '<service> Affiliate', version: '1' }` without chain or contract, message
 * `AffiliateCode { walletAddress, code, chainId: 1 }` (interface specification, Authentication 3).
 * @param code the text as sent by the client
 * @throws RangeError when the wallet is not an address
 */
export const computeAffiliateDigest = (serviceName: string, walletAddress: Address, code: string): Hex => {
  const domainSeparator = keccak_256(concatBytes(domainTypeHash, hashText(`${serviceName} Affiliate`), versionHash))
  const wallet = new Uint8Array(32)
  wallet.set(fromHex(walletAddress, 20, 'walletAddress'), 12)
  return computeTypedDataDigest(
    toHex(domainSeparator),
    keccak_256(concatBytes(codeTypeHash, wallet, hashText(code), chainIdWord)),
  )
}
