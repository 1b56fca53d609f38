import { concatBytes } from '@noble/hashes/utils.js'
import type { Address, Hex } from 'viem'
import { fromHex, toHex } from './hex.ts'
import { normalizeSignature } from './normalizeSignature.ts'
import type { SigningScheme } from './signingScheme.ts'

/**
 * Signature of a trade as the settlement contract's `settle` reads it (`GPv2Signing.recoverOrderSigner`):
 *
 * | Scheme | Bytes |
 * |---|---|
 * | eip712, ethsign | r ‖ s ‖ v with v 27 or 28 |
 * | eip1271 | owner (20 bytes) ‖ signature as given |
 * | presign | owner (20 bytes); a stored signature is ignored |
 *
 * @throws RangeError on an owner that is not 20 bytes, a signature that is not hex, or an ECDSA signature that is not
 *   65 bytes with a known v
 */
export function toContractSignature(scheme: SigningScheme, owner: Address, signature: Hex): Hex {
  if (scheme === 'eip712' || scheme === 'ethsign') return normalizeSignature(signature)
  const ownerBytes = fromHex(owner, 20, 'owner')
  if (scheme === 'presign') return toHex(ownerBytes)
  return toHex(concatBytes(ownerBytes, fromHex(signature, Math.floor(signature.length / 2) - 1, 'signature')))
}
