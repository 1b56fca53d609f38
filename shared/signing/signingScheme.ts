/**
 * The owner's authorisation of an order.
 * - `eip712`: ECDSA over the typed-data digest
 * - `ethsign`: ECDSA over the digest as an EIP-191 personal message
 * - `eip1271`: the owner is a contract whose `isValidSignature` accepts the digest
 * - `presign`: the owner called `setPreSignature` on the settlement contract
 */
export type SigningScheme = 'eip712' | 'ethsign' | 'eip1271' | 'presign'

/** Schemes whose signer can be recovered without the chain. */
export type EcdsaSigningScheme = Extract<SigningScheme, 'eip712' | 'ethsign'>
