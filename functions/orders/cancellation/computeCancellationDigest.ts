import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { computeTypedDataDigest } from '#shared/signing/computeTypedDataDigest.ts'
import { fromHex } from '#shared/signing/hex.ts'
import { orderUidLength } from '#shared/signing/orderUid.ts'

/** keccak256 of `OrderCancellation(bytes orderUid)` */
const cancellationTypeHash = fromHex(
  '0x7b41b3a6e2b3cae020a3b2f9cdc997e0d420643957e7fea81747e984e47c88ec',
  32,
  'type hash',
)

/**
 * EIP-712 digest that an owner signs to cancel one order off-chain. It has no meaning on-chain.
 * @throws RangeError when the UID is not 56 bytes of hex
 */
export const computeCancellationDigest = (domainSeparator: Hex, orderUid: Hex): Hex =>
  computeTypedDataDigest(
    domainSeparator,
    keccak_256(concatBytes(cancellationTypeHash, keccak_256(fromHex(orderUid, orderUidLength, 'orderUid')))),
  )
