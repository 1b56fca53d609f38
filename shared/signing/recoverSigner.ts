import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Address, Hex } from 'viem'
import { computeEthsignDigest } from './computeEthsignDigest.ts'
import { fromHex, toHex } from './hex.ts'
import { normalizeSignature } from './normalizeSignature.ts'
import { type RecoverPublicKey, recoverPublicKey as recoverInJavaScript } from './recoverPublicKey.ts'
import type { EcdsaSigningScheme } from './signingScheme.ts'

/**
 * Why a signature has no signer.
 * - `malformed`: not 65 bytes of hex, or v is not 0, 1, 27 or 28
 * - `outOfRange`: r or s is 0 or not below the group order
 * - `noSigner`: no curve point has this r, or the recovered key is the point at infinity
 */
export type SignatureFailure = 'malformed' | 'outOfRange' | 'noSigner'

/** Destructure it: without `failure`, `signer` is defined. */
export type RecoveredSigner =
  | { signer: Address; failure?: undefined }
  | { signer?: undefined; failure: SignatureFailure }

/**
 * Recovers the signer of r ‖ s ‖ v over a digest.
 *
 * Agrees with `ecrecover` of the settlement contract (`GPv2Signing.ecdsaRecover`), once v is normalised: an order accepted
 * here settles there. That includes a high s, which EIP-2 forbids in transactions but the precompile accepts, so two
 * signatures may name the same order; its UID does not depend on the signature.
 *
 * Almost every well-formed signature has *some* signer. Compare it with the expected owner.
 *
 * @param digest EIP-712 digest of the order or cancellation; the `ethsign` prefix is added here
 * @param recoverPublicKey a faster recovery; its results equal those of JavaScript
 * @returns the signer in lower case, or the failure (wire error `InvalidSignature`)
 * @throws RangeError when `digest` is not 32 bytes: a mistake of the caller, not of the signer
 */
export function recoverSigner(
  scheme: EcdsaSigningScheme,
  digest: Hex,
  signature: Hex,
  recoverPublicKey: RecoverPublicKey = recoverInJavaScript,
): RecoveredSigner {
  const message = fromHex(scheme === 'ethsign' ? computeEthsignDigest(digest) : digest, 32, 'digest')
  let bytes: Uint8Array
  try {
    bytes = fromHex(normalizeSignature(signature), 65, 'signature')
  } catch {
    return { failure: 'malformed' }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const r = getUint256(view, 0)
  const s = getUint256(view, 32)
  const { Fn } = secp256k1.Point
  if (!Fn.isValidNot0(r) || !Fn.isValidNot0(s)) return { failure: 'outOfRange' }
  const publicKey = recoverPublicKey(message, bytes)
  return publicKey ? { signer: toAddress(publicKey) } : { failure: 'noSigner' }
}

const getUint256 = (view: DataView, offset: number): bigint =>
  (view.getBigUint64(offset) << 192n) |
  (view.getBigUint64(offset + 8) << 128n) |
  (view.getBigUint64(offset + 16) << 64n) |
  view.getBigUint64(offset + 24)

/** The last 20 bytes of the key's hash; the first of the 65 key bytes is the SEC 1 marker 0x04. */
const toAddress = (publicKey: Uint8Array): Address => toHex(keccak_256(publicKey.subarray(1)).subarray(12))
