import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { fromHex, toHex } from './hex.ts'

const prefix = utf8ToBytes('\x19Ethereum Signed Message:\n32')

/**
 * The digest signed by an `ethsign` signature: the typed-data digest as a personal message of 32 raw bytes (EIP-191, version 0x45),
 *     keccak256("\x19Ethereum Signed Message:\n32" ‖ digest)
 * @throws RangeError when `digest` is not 32 bytes of hex
 */
export const computeEthsignDigest = (digest: Hex): Hex =>
  toHex(keccak_256(concatBytes(prefix, fromHex(digest, 32, 'digest'))))
