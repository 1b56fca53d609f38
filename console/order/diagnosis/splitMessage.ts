/** Part of an API sentence with a better form here: whole tokens, a link, local time. */
export type Part =
  | string
  /** atoms of a token; a pair reads "the first of the second" */
  | { kind: 'amount'; atoms: string[]; token: string }
  /** buy token atoms for one sell token atom, a decimal */
  | { kind: 'price'; price: string }
  | { kind: 'hex'; value: string }
  | { kind: 'time'; time: string }

const hex = '0x[0-9a-f]+'
const decimal = '\\d+(?:\\.\\d+)?'
const pattern = new RegExp(
  [
    `(?:(?<part>\\d+) of )?(?<atoms>\\d+) atoms of (?<token>${hex})`,
    `(?<limit>${decimal}) buy token atoms per sell token atom`,
    `(?<hex>${hex})`,
    '(?<time>\\d{4}-\\d\\d-\\d\\dT[\\d:]+(?:\\.\\d+)?Z)',
  ].join('|'),
  'g',
)

/**
 * Splits the sentences of a diagnosis, which state amounts of unnamed tokens in atoms with the token's address.
 * Unrecognised parts stay unchanged.
 */
export const splitMessage = (message: string): Part[] => {
  const parts: Part[] = []
  let end = 0
  for (const match of message.matchAll(pattern)) {
    if (match.index > end) parts.push(message.slice(end, match.index))
    parts.push(toPart(match.groups ?? {}))
    end = match.index + match[0].length
  }
  if (end < message.length) parts.push(message.slice(end))
  return parts
}

const toPart = ({ part, atoms, token, limit, hex: value, time = '' }: Record<string, string | undefined>): Part => {
  if (atoms !== undefined && token !== undefined) {
    return { kind: 'amount', atoms: part === undefined ? [atoms] : [part, atoms], token }
  }
  if (limit !== undefined) return { kind: 'price', price: limit }
  return value === undefined ? { kind: 'time', time } : { kind: 'hex', value }
}
