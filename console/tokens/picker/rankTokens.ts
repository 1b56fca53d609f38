import type { Token } from '../token.ts'

type Facts = {
  favourites: readonly string[]
  /** US dollars; undefined: no balance, or no known price */
  findValue: (address: string) => number | undefined
  /** atoms; undefined: unknown */
  findBalance: (address: string) => bigint | undefined
}

/** Favourites first, then by the value of the balance, then tokens with any balance; otherwise in list order. */
export const rankTokens = (tokens: readonly Token[], { favourites, findValue, findBalance }: Facts): Token[] => {
  const toRank = ({ address }: Token): [number, number, number] => [
    favourites.includes(address) ? 1 : 0,
    findValue(address) ?? 0,
    (findBalance(address) ?? 0n) > 0n ? 1 : 0,
  ]
  return tokens.toSorted((a, b) => {
    const [one, other] = [toRank(a), toRank(b)]
    const place = one.findIndex((rank, i) => rank !== other[i])
    return place === -1 ? 0 : (other[place] ?? 0) - (one[place] ?? 0)
  })
}
