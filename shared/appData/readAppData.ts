import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { ApiError } from '../http/errors.ts'
import { toHex } from '../signing/hex.ts'
import { type ParsedAppData, parseAppData } from './parseAppData.ts'

const maxAppDataBytes = 8_192

/** Hash signed by orders without a document; it denotes the empty document. */
const zeroHash: Hex = `0x${'0'.repeat(64)}`
const hashPattern = /^(?:0x)?([0-9a-fA-F]{64})$/

/** App data of an order: its signed hash and, if known, the document. */
export type AppData = {
  /** keccak-256 of the document's exact UTF-8 bytes */
  appDataHash: Hex
  /** null: only the hash was given, the document must be looked up */
  fullAppData: string | null
  /** the parsed document; null without one */
  parsedAppData: ParsedAppData | null
}

/**
 * Reads app data in any of the forms that clients send: a document, a document with its hash, or a bare hash.
 * @throws ApiError `InvalidAppData` when the document is invalid, `AppDataHashMismatch` when `expectedHash` differs
 */
export const readAppData = (appData: string, expectedHash?: Hex | null): AppData => {
  const bareHash = hashPattern.exec(appData)?.[1]
  if (bareHash !== undefined) {
    const appDataHash: Hex = `0x${bareHash.toLowerCase()}`
    checkHash(appDataHash, expectedHash)
    if (appDataHash !== zeroHash) return { appDataHash, fullAppData: null, parsedAppData: null }
    return { appDataHash, fullAppData: '{}', parsedAppData: parseAppData('{}') }
  }
  const { appDataHash, parsedAppData } = readDocument(appData)
  checkHash(appDataHash, expectedHash)
  return { appDataHash, fullAppData: appData, parsedAppData }
}

const checkHash = (computed: Hex, expected: Hex | null | undefined): void => {
  if (expected && expected !== computed) throw new ApiError('AppDataHashMismatch', { data: { computed, expected } })
}

/**
 * Hash of a document's exact bytes, never of a re-serialised form.
 * @throws ApiError `InvalidAppData` unless it is at most `maxAppDataBytes` long and `parseAppData` can read it
 */
export const computeAppDataHash = (document: string): Hex => readDocument(document).appDataHash

const readDocument = (document: string): { appDataHash: Hex; parsedAppData: ParsedAppData } => {
  const bytes = utf8ToBytes(document)
  if (bytes.length > maxAppDataBytes) {
    throw new ApiError('InvalidAppData', { data: { bytes: bytes.length, maxBytes: maxAppDataBytes } })
  }
  const parsedAppData = parseAppData(document)
  return { appDataHash: toHex(keccak_256(bytes)), parsedAppData }
}
