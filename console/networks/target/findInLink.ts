import { isHex, toDigits, toId } from '../../ui/toDigits.ts'
import { type SearchTarget, searchHint, searchKinds } from './searchKinds.ts'

/**
 * The longest id in a link: `/address/0x…?a=0x…` may have several, and an order UID is more specific than its owner.
 */
export const findInLink = (link: string): SearchTarget => {
  const parts = link.split(/[^0-9a-zA-Z]+/)
  const network = /[?&]network=(\w+)/.exec(link)?.[1]
  const found = searchKinds.flatMap(({ digits, kind }) => {
    const part = parts.find((candidate) => toDigits(candidate).length === digits && isHex(toDigits(candidate)))
    return part ? [{ kind, id: toId(part) }] : []
  })[0]
  const auction = /\/(?:auctions|solver_competition)\/(\d{1,15})\b/.exec(link)?.[1]
  const target = found ?? (auction ? ({ kind: 'auction', id: auction } as const) : undefined)
  if (!target) return { kind: 'nothing', hint: `This link contains no order, transaction or account. ${searchHint}` }
  return network ? { ...target, network } : target
}
