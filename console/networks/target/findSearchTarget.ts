import { findId } from './findId.ts'
import { findInLink } from './findInLink.ts'
import { type SearchTarget, searchHint } from './searchKinds.ts'

/**
 * Interprets a pasted text: an id with or without `0x`, in any case, with spaces or line breaks, or the address of its
 * page here or at a block explorer.
 */
export const findSearchTarget = (text: string): SearchTarget => {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'nothing', hint: searchHint }
  return trimmed.includes('/') ? findInLink(trimmed) : findId(trimmed.replace(/[\s\u200b"'`,;]/g, ''))
}
