/**
 * Gas units that a contract owner adds to the settlement of its order. Quotes, dry runs and the reference solver charge
 * the same, so that an order fills at the price that was quoted.
 */

/** check of an EIP-1271 signature */
export const signatureGas = 27_000n

/** wrapping the ether of an order that sells it, with the check of its contract's signature; measured: 30,200 */
export const wrapGas = 35_000n
