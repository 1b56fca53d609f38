/** Limits the use of a signed message: once, until a deadline. */
export type Stamp = { nonce: string /** Unix seconds */; deadline: number }

/** Seconds; the API accepts an hour, a day for a list. */
const signedForSeconds = { write: 600, list: 3_600 }

/** @param random 32 bytes. @param nowMs Unix milliseconds */
export const buildStamp = (random: Uint8Array, nowMs: number, use: 'write' | 'list'): Stamp => ({
  nonce: `0x${[...random].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  deadline: Math.floor(nowMs / 1_000) + signedForSeconds[use],
})
