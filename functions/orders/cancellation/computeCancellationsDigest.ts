import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { computeTypedDataDigest } from '#shared/signing/computeTypedDataDigest.ts'
import { fromHex } from '#shared/signing/hex.ts'
import { orderUidLength } from '#shared/signing/orderUid.ts'

/**
 * keccak256 of `OrderCancellations(bytes[] orderUids)`, with the plural member name that clients sign. The type string
 * with a singular `orderUid` has another hash (0x85d264d5…).
 */
const cancellationsTypeHash = fromHex(
  '0x4c89efb91ae246f78d2fe68b47db2fa1444a121a4f2dc3fda7a5a408c2e3588e',
  32,
  'type hash',
)

/**
 * EIP-712 digest that an owner signs to cancel several orders off-chain at once. It has no meaning on-chain. An array
 * is encoded as the hash of its members' hashes, so the digest depends on every UID and on their order.
 * @throws RangeError when a UID is not 56 bytes of hex
 */
export function computeCancellationsDigest(domainSeparator: Hex, orderUids: readonly Hex[]): Hex {
  const uidHashes = orderUids.map((uid) => keccak_256(fromHex(uid, orderUidLength, 'orderUid')))
  const structHash = keccak_256(concatBytes(cancellationsTypeHash, keccak_256(concatBytes(...uidHashes))))
  return computeTypedDataDigest(domainSeparator, structHash)
}
