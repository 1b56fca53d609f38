import type { Address, Hex } from 'viem'
import { fromHex, toHex } from './hex.ts'

/**
 * Identifier of an order on one network, 56 bytes:
 *     orderDigest (bytes 0..32) ‖ owner (32..52) ‖ validTo, big-endian uint32 (52..56)
 * The settlement contract keys filled amounts and pre-signatures with it (`GPv2Order.packOrderUidParams`).
 */
export const orderUidLength = 56

export interface OrderUidParts {
  /** EIP-712 digest, see `computeOrderDigest` */
  digest: Hex
  owner: Address
  /** as signed, Unix seconds; `0xffffffff` in orders placed through the native-token contract */
  validTo: number
}

/**
 * @returns the UID, lower case
 * @throws RangeError on a digest that is not 32 bytes, an owner that is not 20, a validTo that is not a uint32
 */
export function packOrderUid(digest: Hex, owner: Address, validTo: number): Hex {
  if (!Number.isInteger(validTo) || validTo < 0 || validTo > 0xffffffff) {
    throw new RangeError(`validTo: ${validTo} is not a uint32`)
  }
  const uid = new Uint8Array(orderUidLength)
  uid.set(fromHex(digest, 32, 'digest'), 0)
  uid.set(fromHex(owner, 20, 'owner'), 32)
  new DataView(uid.buffer).setUint32(52, validTo)
  return toHex(uid)
}

/**
 * @returns digest and owner in lower case
 * @throws RangeError when `uid` is not 56 bytes of hex
 */
export function unpackOrderUid(uid: Hex): OrderUidParts {
  const bytes = fromHex(uid, orderUidLength, 'orderUid')
  return {
    digest: toHex(bytes.subarray(0, 32)),
    owner: toHex(bytes.subarray(32, 52)),
    validTo: new DataView(bytes.buffer, bytes.byteOffset).getUint32(52),
  }
}
