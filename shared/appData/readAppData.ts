import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { ApiError } from '../http/errors.ts'
import { toHex } from '../signing/hex.ts'
import { type ParsedAppData, parseAppData } from './parseAppData.ts'

const maxAppDataBytes = 8_192

/** Hash signed by orders without a document; it denotes the empty document. */
const zeroHash: Hex = `0x${'0'.repeat(64)}`
const emptyDocument = '{}'
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

/** App data as requests send it. */
export type SentAppData = {
  /** a document, or a hash with or without `0x` */
  appData: string
  /** hash that the document must have */
  appDataHash?: Hex | null | undefined
  /** the document of the hash in `appData`; ignored beside a document there */
  fullAppData?: string | null | undefined
}

/**
 * Reads app data in any of the forms that clients send: a document, a document with its hash, a bare hash, a hash with
 * its document. The last two are those of returned orders and of `signable`.
 * @throws ApiError `InvalidAppData` when the document is invalid, `AppDataHashMismatch` when `appDataHash` differs
 */
export const readAppData = ({ appData, appDataHash: expectedHash, fullAppData: document }: SentAppData): AppData => {
  const bareHash = hashPattern.exec(appData)?.[1]
  if (bareHash !== undefined) {
    const appDataHash: Hex = `0x${bareHash.toLowerCase()}`
    checkHash(appDataHash, expectedHash)
    if (typeof document === 'string') return readAppDataDocument(document, appDataHash, 'fullAppData')
    if (appDataHash !== zeroHash) return { appDataHash, fullAppData: null, parsedAppData: null }
    return { appDataHash, fullAppData: emptyDocument, parsedAppData: parseAppData(emptyDocument) }
  }
  return readAppDataDocument(appData, expectedHash)
}

const checkHash = (computed: Hex, expected: Hex | null | undefined): void => {
  if (expected && expected !== computed) throw new ApiError('AppDataHashMismatch', { data: { computed, expected } })
}

/**
 * Reads a document. Its hash is that of its exact bytes, never of a re-serialised form.
 * @param expected hash that it must have; the zero hash is one of the empty document
 * @param field of the request that has it, for errors
 * @throws ApiError `InvalidAppData` unless it is at most `maxAppDataBytes` long and `parseAppData` can read it,
 *   `AppDataHashMismatch`
 */
export const readAppDataDocument = (document: string, expected?: Hex | null, field = 'appData'): AppData => {
  const bytes = utf8ToBytes(document)
  if (bytes.length > maxAppDataBytes) {
    throw new ApiError('InvalidAppData', { data: { field, bytes: bytes.length, maxBytes: maxAppDataBytes } })
  }
  const parsedAppData = parseAppData(document, field)
  const isDefault = expected === zeroHash && document === emptyDocument
  const appDataHash = isDefault ? zeroHash : toHex(keccak_256(bytes))
  checkHash(appDataHash, expected)
  return { appDataHash, fullAppData: document, parsedAppData }
}
