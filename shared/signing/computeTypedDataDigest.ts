import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Hex } from 'viem'
import { fromHex, toHex } from './hex.ts'

/**
 * EIP-712 digest of a struct: keccak256(0x19 0x01 ‖ domainSeparator ‖ structHash).
 * @throws RangeError when the domain separator is not 32 bytes of hex
 */
export function computeTypedDataDigest(domainSeparator: Hex, structHash: Uint8Array): Hex {
  const message = new Uint8Array(66)
  message[0] = 0x19
  message[1] = 0x01
  message.set(fromHex(domainSeparator, 32, 'domainSeparator'), 2)
  message.set(structHash, 34)
  return toHex(keccak_256(message))
}
