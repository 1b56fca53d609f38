import { secp256k1 } from '@noble/curves/secp256k1.js'

/**
 * Recovers the public key that signed a digest.
 * @param digest 32 bytes
 * @param signature r ‖ s ‖ v, 65 bytes: r and s between 1 and the group order, v 27 or 28
 * @returns the uncompressed key, 65 bytes; undefined when no curve point has this r, or the key is the point at infinity
 */
export type RecoverPublicKey = (digest: Uint8Array, signature: Uint8Array) => Uint8Array | undefined

/** Recovery in JavaScript: the reference for every other implementation. */
export const recoverPublicKey: RecoverPublicKey = (digest, signature) => {
  const recovered = Uint8Array.of(Number(signature[64]) - 27, ...signature.subarray(0, 64))
  const parsed = secp256k1.Signature.fromBytes(recovered, 'recovered')
  try {
    return parsed.recoverPublicKey(digest).toBytes(false)
  } catch {
    return undefined
  }
}
