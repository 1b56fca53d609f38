import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a text that came with a request is a secret, found in a time that says nothing about either. */
export const isSameSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
