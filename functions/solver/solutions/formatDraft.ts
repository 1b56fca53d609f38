import type { SolutionDraft } from './buildDraft.ts'

const bigIntText = /^-?\d+n$/

/** JSON with each bigint as text with a trailing `n`; no other text of a draft has this form. */
export const formatDraft = (draft: SolutionDraft): string =>
  JSON.stringify(draft, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))

/** @param text from `formatDraft` */
export const parseDraft = (text: string): SolutionDraft =>
  JSON.parse(text, (_, value) =>
    typeof value === 'string' && bigIntText.test(value) ? BigInt(value.slice(0, -1)) : value,
  )
