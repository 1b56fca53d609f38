import type { JsonObject } from '#shared/jsonObject.ts'
import { toLine } from '#shared/toLine.ts'

const maxRevertLength = 100

/** A contract's revert reason in one line. */
export const toRevert = ({ revert }: JsonObject): string => {
  if (typeof revert !== 'string') return ''
  const line = toLine(revert, maxRevertLength)
  return line && `: ${line}`
}
