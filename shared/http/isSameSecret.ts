import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares a text from a request with a secret, in constant time. */
export const isSameSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
