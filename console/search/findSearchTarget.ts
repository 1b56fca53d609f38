import { isAuctionId } from '../order/competition/isAuctionId.ts'

/** The target of a search; `hint` explains a missing one. `network` comes from a pasted link of this console. */
export type SearchTarget =
  | { kind: 'order' | 'transaction' | 'account' | 'auction'; id: string; network?: string }
  | { kind: 'nothing'; hint: string }

/** Hex digits of each kind of id. */
const kinds = [
  { digits: 112, kind: 'order', name: 'an order' },
  { digits: 64, kind: 'transaction', name: 'a transaction' },
  { digits: 40, kind: 'account', name: 'an account' },
] as const

const expected =
  'Search for an order (0x and 112 hex digits), a transaction (64), an account (40) or an auction (its number).'
const lengths = 'an account (40), a transaction (64) or an order (112)'

/**
 * Interprets a pasted text: an id with or without `0x`, in any case, with spaces or line breaks, or the address of its
 * page here or at a block explorer.
 */
export const findSearchTarget = (text: string): SearchTarget => {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'nothing', hint: expected }
  return isLink(trimmed) ? findInLink(trimmed) : findId(trimmed.replace(/[\s\u200b"'`,;]/g, ''))
}

const isLink = (text: string): boolean => text.includes('/')

/**
 * The longest id in a link: `/address/0x…?a=0x…` may have several, and an order UID is more specific than its owner.
 */
const findInLink = (link: string): SearchTarget => {
  const parts = link.split(/[^0-9a-zA-Z]+/)
  const network = /[?&]network=(\w+)/.exec(link)?.[1]
  const found = kinds.flatMap(({ digits, kind }) => {
    const part = parts.find((candidate) => toDigits(candidate).length === digits && isHex(toDigits(candidate)))
    return part ? [{ kind, id: toId(part) }] : []
  })[0]
  const auction = /\/(?:auctions|solver_competition)\/(\d{1,15})\b/.exec(link)?.[1]
  const target = found ?? (auction ? ({ kind: 'auction', id: auction } as const) : undefined)
  if (!target) return { kind: 'nothing', hint: `This link contains no order, transaction or account. ${expected}` }
  return network ? { ...target, network } : target
}

const findId = (text: string): SearchTarget => {
  if (isAuctionId(text)) return { kind: 'auction', id: BigInt(text).toString() }
  const digits = toDigits(text)
  if (!isHex(digits)) return { kind: 'nothing', hint: describeNonHex(text, digits) }
  const kind = kinds.find((candidate) => candidate.digits === digits.length)
  if (kind) return { kind: kind.kind, id: toId(text) }
  return { kind: 'nothing', hint: describeLength(digits.length) }
}

const describeNonHex = (text: string, digits: string): string => {
  const wrong = /[^0-9a-f]/i.exec(digits)?.[0]
  return /^0x/i.test(text) && wrong ? `“${wrong}” is not a hex digit. ${expected}` : expected
}

const describeLength = (count: number): string => {
  const digits = `${count} hex digit${count === 1 ? ' is' : 's are'}`
  if (count < kinds[2].digits) return `${digits} too few for ${lengths}.`
  if (count > kinds[0].digits) return `${digits} too many for ${lengths}.`
  return `${digits} neither an account (40), nor a transaction (64), nor an order (112).`
}

const toDigits = (text: string): string => text.replace(/^0x/i, '')

const isHex = (digits: string): boolean => /^[0-9a-f]+$/i.test(digits)

const toId = (text: string): string => `0x${toDigits(text).toLowerCase()}`
