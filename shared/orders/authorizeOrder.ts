import type { Address, Hex } from 'viem'
import { ApiError } from '../http/errors.ts'
import { normalizeSignature } from '../signing/normalizeSignature.ts'
import type { RecoverPublicKey } from '../signing/recoverPublicKey.ts'
import { recoverSigner } from '../signing/recoverSigner.ts'
import type { OrderCreation } from './orderCreation.ts'

/** Owner of an order and the signature to store. */
export type Authorization = { owner: Address; signature: Hex }

/**
 * Determines the owner of an order. An ECDSA signer must equal the expected owner, if any. With `eip1271` the owner's
 * contract must still confirm the signature; `presign` orders are signed later, on-chain.
 * @param digest EIP-712 digest of the order
 * @param expected `computeExpectedOwner`
 * @param recoverPublicKey of `recoverSigner`
 * @throws ApiError `MissingFrom`, `InvalidSignature`
 */
export const authorizeOrder = (
  { signingScheme, signature }: Pick<OrderCreation, 'signingScheme' | 'signature'>,
  digest: Hex,
  expected: Address | undefined,
  recoverPublicKey?: RecoverPublicKey,
): Authorization => {
  if (signingScheme === 'eip712' || signingScheme === 'ethsign') {
    const { signer, failure } = recoverSigner(signingScheme, digest, signature, recoverPublicKey)
    if (failure) throw new ApiError('InvalidSignature', { data: { failure, expected: expected ?? null } })
    if (expected && signer !== expected) throw new ApiError('InvalidSignature', { data: { signer, expected } })
    return { owner: signer, signature: normalizeSignature(signature) }
  }
  if (!expected) throw new ApiError('MissingFrom', { data: { field: 'from', signingScheme } })
  if (signingScheme === 'eip1271') return { owner: expected, signature }
  const bytes = (signature.length - 2) / 2
  if (bytes !== 0 && bytes !== 20) {
    throw new ApiError('InvalidSignature', { data: { expected: 'no bytes, or the 20 of the owner', got: bytes } })
  }
  return { owner: expected, signature: '0x' }
}
