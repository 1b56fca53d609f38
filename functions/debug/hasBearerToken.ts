import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether an `Authorization` header is `Bearer <token>`, found in a time that says nothing about either. */
export const hasBearerToken = (authorization: string | undefined, token: string): boolean => {
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
