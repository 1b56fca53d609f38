import { createUuid } from './createUuid.ts'

const acceptable = /^[A-Za-z0-9._:-]{1,64}$/

/** The caller's `X-Request-Id` when it is short and safe to log, else a new one. */
export const readRequestId = (headers: Headers): string => {
  const given = headers.get('X-Request-Id')
  return given !== null && acceptable.test(given) ? given : createUuid()
}
