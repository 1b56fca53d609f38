import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { toHex } from '#shared/signing/hex.ts'

const submitterBytes = 16

/**
 * Pseudonym under which a client's unsigned orders are counted: 16 bytes of an HMAC-SHA-256 of its address. The key is
 * a secret of the deployment outside the database, so a copy of the database does not reveal addresses.
 * @param client `computeClientKey`: an IPv4 address or an IPv6 network of 64 bits
 */
export const computeSubmitter = (secret: string, client: string): Hex =>
  toHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`submitter ${client}`)).subarray(0, submitterBytes))
