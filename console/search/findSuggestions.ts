import type { NetworkName } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { findSearchTarget } from '../networks/target/findSearchTarget.ts'
import { filterTokens } from '../tokens/picker/filterTokens.ts'
import type { Token } from '../tokens/token.ts'
import { shorten } from '../ui/shorten.ts'

/** @property kind of the page · @property path of the page */
export type Suggestion = {
  kind: 'Token' | 'Pair' | 'Order' | 'Transaction' | 'Account' | 'Auction'
  name: string
  path: string
}

const maxSuggestions = 6
const separators = /[\s/→-]+/
const kinds = { order: 'Order', transaction: 'Transaction', account: 'Account', auction: 'Auction' } as const

/**
 * Pages that a typed text may mean: the id that it is, a pair of two listed tokens as `weth/usdc`, and tokens.
 * @param tokens listed ones
 */
export const findSuggestions = (text: string, network: NetworkName, tokens: readonly Token[]): Suggestion[] => {
  const typed = text.trim()
  if (typed === '') return []
  const target = findSearchTarget(typed)
  const ids = target.kind === 'nothing' || target.network !== undefined ? [] : [toIdSuggestion(network, target)]
  const named = filterTokens(tokens, typed).map(
    (token): Suggestion => ({ kind: 'Token', name: describeToken(token), path: paths.token(network, token.address) }),
  )
  return [...ids, ...findPairs(typed, network, tokens), ...named].slice(0, maxSuggestions)
}

type IdTarget = { kind: keyof typeof kinds; id: string }

const toIdSuggestion = (network: NetworkName, { kind, id }: IdTarget): Suggestion => ({
  kind: kinds[kind],
  name: shorten(id),
  path: kind === 'account' ? paths.account(network, id) : paths[kind](undefined, id),
})

const findPairs = (typed: string, network: NetworkName, tokens: readonly Token[]): Suggestion[] => {
  const [first = '', second = '', ...more] = typed.split(separators)
  if (first === '' || second === '' || more.length > 0) return []
  const [sell] = filterTokens(tokens, first)
  const buys = filterTokens(tokens, second).filter(({ address }) => address !== sell?.address)
  if (!sell) return []
  return buys.slice(0, 2).map((buy) => ({
    kind: 'Pair',
    name: `${toSymbol(sell)} → ${toSymbol(buy)}`,
    path: paths.tradePair(network, sell.address, buy.address),
  }))
}

const toSymbol = ({ symbol, address }: Token): string => symbol ?? shorten(address)
const describeToken = (token: Token): string =>
  token.name === undefined || token.name === token.symbol ? toSymbol(token) : `${toSymbol(token)} · ${token.name}`
