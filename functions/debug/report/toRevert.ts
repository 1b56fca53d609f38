import type { JsonObject } from '#shared/jsonObject.ts'

const maxRevertLength = 100

/** A contract's revert reason in one line. */
export const toRevert = ({ revert }: JsonObject): string => {
  if (typeof revert !== 'string') return ''
  const line = revert.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line === '' ? '' : `: ${line.slice(0, maxRevertLength)}`
}
