import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { ApiError } from '../http/errors.ts'
import { toHex } from '../signing/hex.ts'

export const maxAppDataBytes = 8_192

/** Signed by orders that carry no document; it stands for the empty one. */
const zeroHash: Hex = `0x${'0'.repeat(64)}`
const hashPattern = /^(?:0x)?([0-9a-fA-F]{64})$/

/** App data as an order signs it. */
export type AppData = {
  /** keccak-256 of the document's exact UTF-8 bytes */
  appDataHash: Hex
  /** null: only the hash came, the document has to be looked up */
  fullAppData: string | null
}

/**
 * App data in one of the shapes that clients send: a document, a document with its hash, a bare hash.
 * @throws ApiError `InvalidAppData` when the document is not usable, `AppDataHashMismatch` when `expectedHash` differs
 */
export const readAppData = (appData: string, expectedHash?: Hex | null): AppData => {
  const bareHash = hashPattern.exec(appData)?.[1]
  if (bareHash !== undefined) {
    const appDataHash: Hex = `0x${bareHash.toLowerCase()}`
    checkHash(appDataHash, expectedHash)
    return { appDataHash, fullAppData: appDataHash === zeroHash ? '{}' : null }
  }
  const appDataHash = computeAppDataHash(appData)
  checkHash(appDataHash, expectedHash)
  return { appDataHash, fullAppData: appData }
}

const checkHash = (computed: Hex, expected: Hex | null | undefined): void => {
  if (expected && expected !== computed) throw new ApiError('AppDataHashMismatch', { data: { computed, expected } })
}

/**
 * Hash of a document: the bytes as they came, never a serialisation of ours.
 * @throws ApiError `InvalidAppData` unless it is a JSON object of at most `maxAppDataBytes`, whose `metadata` is an object
 */
export const computeAppDataHash = (document: string): Hex => {
  const bytes = utf8ToBytes(document)
  if (bytes.length > maxAppDataBytes) reject({ bytes: bytes.length, maxBytes: maxAppDataBytes })
  const root = parse(document)
  if (!isObject(root)) return reject({ expected: 'a JSON object' })
  if ('metadata' in root && !isObject(root.metadata)) reject({ field: 'metadata', expected: 'a JSON object' })
  return toHex(keccak_256(bytes))
}

/** A lone surrogate has no UTF-8 bytes, so a text with one has no hash. */
const parse = (document: string): unknown => {
  try {
    return document.isWellFormed() ? JSON.parse(document) : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const reject = (data: { [fact: string]: string | number }): never => {
  throw new ApiError('InvalidAppData', { data })
}
