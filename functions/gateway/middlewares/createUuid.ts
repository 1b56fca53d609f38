const uuidBytes = 16
/** Random bytes of the next ids: a request to the runtime for each one took longer than all other work of a new id. */
const pool = new Uint8Array(256 * uuidBytes)
let used = pool.length

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A random UUID: version 4, variant 1 (RFC 9562). */
export const createUuid = (): string => {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  const start = used
  used += uuidBytes
  const at = (i: number): string => hex[pool[start + i] as number] as string
  const version = hex[((pool[start + 6] as number) & 0x0f) | 0x40]
  const variant = hex[((pool[start + 8] as number) & 0x3f) | 0x80]
  return `${at(0)}${at(1)}${at(2)}${at(3)}-${at(4)}${at(5)}-${version}${at(7)}-${variant}${at(9)}-${at(10)}${at(11)}${at(12)}${at(13)}${at(14)}${at(15)}`
}
