import { isHex, toDigits, toId } from '../../ui/toDigits.ts'
import { isAuctionId } from './isAuctionId.ts'
import { type SearchTarget, searchHint, searchKinds } from './searchKinds.ts'

const lengths = 'an account (40), a transaction (64) or an order (112)'

/** The target of an id without spaces, by its number of digits. */
export const findId = (text: string): SearchTarget => {
  if (isAuctionId(text)) return { kind: 'auction', id: BigInt(text).toString() }
  const digits = toDigits(text)
  if (!isHex(digits)) return { kind: 'nothing', hint: describeNonHex(text, digits) }
  const kind = searchKinds.find((candidate) => candidate.digits === digits.length)
  if (kind) return { kind: kind.kind, id: toId(text) }
  return { kind: 'nothing', hint: describeLength(digits.length) }
}

const describeNonHex = (text: string, digits: string): string => {
  const wrong = /[^0-9a-f]/i.exec(digits)?.[0]
  return /^0x/i.test(text) && wrong ? `“${wrong}” is not a hex digit. ${searchHint}` : searchHint
}

const describeLength = (count: number): string => {
  const digits = `${count} hex digit${count === 1 ? ' is' : 's are'}`
  if (count < searchKinds[2].digits) return `${digits} too few for ${lengths}.`
  if (count > searchKinds[0].digits) return `${digits} too many for ${lengths}.`
  return `${digits} neither an account (40), nor a transaction (64), nor an order (112).`
}
