/** A piece of a sentence of the API that can be said better here: in whole tokens, as a link, in local time. */
export type Part =
  | string
  /** atoms of a token; two of them are "the first of the second" */
  | { kind: 'amount'; atoms: string[]; token: string }
  /** buy token atoms for one sell token atom, a decimal */
  | { kind: 'price'; price: string }
  | { kind: 'hex'; value: string }
  | { kind: 'time'; time: string }

type Tokens = { sellToken: string; buyToken: string }

const hex = '0x[0-9a-f]+'
const decimal = '\\d+(?:\\.\\d+)?'
const pattern = new RegExp(
  [
    `(?:(?<part>\\d+) of )?(?<atoms>\\d+)(?<more> more)? atoms of (?<token>${hex}|the sell token)`,
    '(?<sellAtoms>\\d+) sell token atoms',
    `(?<limit>${decimal}) buy token atoms per sell token atom`,
    `(?<=the market's )(?<market>${decimal})`,
    `(?<hex>${hex})`,
    '(?<time>\\d{4}-\\d\\d-\\d\\dT[\\d:]+(?:\\.\\d+)?Z)',
  ].join('|'),
  'g',
)

/** The sentences of a diagnosis name amounts in atoms and tokens by address. What is not recognised stays as it is. */
export const splitMessage = (message: string, { sellToken }: Tokens): Part[] => {
  const parts: Part[] = []
  let end = 0
  for (const match of message.matchAll(pattern)) {
    if (match.index > end) parts.push(message.slice(end, match.index))
    parts.push(...toParts(match.groups ?? {}, sellToken))
    end = match.index + match[0].length
  }
  if (end < message.length) parts.push(message.slice(end))
  return parts
}

const toParts = (found: Record<string, string | undefined>, sellToken: string): Part[] => {
  if (found.atoms !== undefined) {
    const token = found.token?.startsWith('0x') ? found.token : sellToken
    const atoms = found.part === undefined ? [found.atoms] : [found.part, found.atoms]
    return [{ kind: 'amount', atoms, token }, ...(found.more ? [' more'] : [])]
  }
  if (found.sellAtoms !== undefined) return [{ kind: 'amount', atoms: [found.sellAtoms], token: sellToken }]
  const price = found.limit ?? found.market
  if (price !== undefined) return [{ kind: 'price', price }]
  if (found.hex !== undefined) return [{ kind: 'hex', value: found.hex }]
  return [{ kind: 'time', time: found.time ?? '' }]
}
