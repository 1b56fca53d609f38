import { isSameSecret } from '#shared/http/isSameSecret.ts'

/** Returns whether an `Authorization` header is `Bearer <token>`, compared in constant time. */
export const hasBearerToken = (authorization: string | undefined, token: string): boolean =>
  isSameSecret(/^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '', token)
