import { useCallback } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Token } from '../../tokens/token.ts'
import { hasTwaps } from '../twap/hasTwaps.ts'
import { findDefaultPair } from './findDefaultPair.ts'
import { readTradeTerms, type TradeTerms, toTradeQuery } from './tradeTerms.ts'

export type ChangeTerms = (changes: Partial<TradeTerms>) => void

/**
 * Terms of the URL and a function to change them. A URL without tokens uses the default pair, which the first change
 * writes into the URL, so that the link names the same pair later. Changes before that have no tokens yet.
 * @param tokens source of the default pair; undefined: not yet loaded
 */
export const useTradeTerms = (network: Network, tokens: readonly Token[] | undefined): [TradeTerms, ChangeTerms] => {
  const { query, route } = useLocation()
  const { name } = network
  const withDefaults = useCallback(
    (given: TradeTerms): TradeTerms => {
      const terms = given.type === 'twap' && !hasTwaps(network) ? { ...given, type: 'market' as const } : given
      return terms.sell === '' && terms.buy === '' && tokens ? { ...terms, ...findDefaultPair(network, tokens) } : terms
    },
    [network, tokens],
  )
  const change = useCallback(
    (changes: Partial<TradeTerms>) => {
      // a late change must not return the user from another page
      if (window.location.pathname !== '/') return
      // several changes may precede the next render
      const now = Object.fromEntries(new URLSearchParams(window.location.search))
      const terms = { ...withDefaults(readTradeTerms(now)), ...changes }
      const query = toTradeQuery(name, terms)
      route(`/?${query}${toViewQuery(now)}`, true)
    },
    [name, withDefaults, route],
  )
  return [withDefaults(readTradeTerms(query)), change]
}

/** Parameters of other parts of the page, which a change of the terms leaves alone. */
const viewNames = ['tab', 'range']

const toViewQuery = (query: Record<string, string>): string => {
  const entries = Object.entries(query).filter(([name]) => viewNames.includes(name))
  return entries.length === 0 ? '' : `&${new URLSearchParams(entries)}`
}
