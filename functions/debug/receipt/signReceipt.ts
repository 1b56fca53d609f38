import { type Hex, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { JsonValue } from '#shared/jsonObject.ts'
import type { Receipt } from './toReceipt.ts'

export type ReceiptSignature = { signer: Hex; message: string; signature: Hex }

/**
 * JSON with the keys of each object in alphabetical order and without spaces: the canonical form of RFC 8785 for values
 * whose numbers are integers.
 */
export const toCanonicalJson = (value: JsonValue): string => {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${toCanonicalJson(value[key] as JsonValue)}`)
  return `{${entries.join()}}`
}

/** The signed text: what it is about, and the keccak-256 of the canonical JSON. */
const buildReceiptMessage = (receipt: Receipt): string => {
  const { chainId, orderUid } = receipt
  return `Receipt of order ${orderUid} on chain ${chainId}: ${keccak256(stringToHex(toCanonicalJson(receipt)))}`
}

/** Signs a receipt by EIP-191 (`personal_sign`). */
export const signReceipt = async (receipt: Receipt, privateKey: Hex): Promise<ReceiptSignature> => {
  const account = privateKeyToAccount(privateKey)
  const message = buildReceiptMessage(receipt)
  return { signer: account.address.toLowerCase() as Hex, message, signature: await account.signMessage({ message }) }
}
