import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'

/**
 * Bytes of a `0x…` string of a known length.
 * @param name name of the value in the error
 * @throws RangeError when it is not exactly `length` bytes of `0x`-prefixed hex
 */
export function fromHex(hex: Hex, length: number, name: string): Uint8Array {
  if (hex.length !== 2 + 2 * length || !hex.startsWith('0x')) {
    throw new RangeError(`${name}: expected ${length} bytes of 0x-prefixed hex`)
  }
  return hexToBytes(hex.slice(2))
}

export const toHex = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`
