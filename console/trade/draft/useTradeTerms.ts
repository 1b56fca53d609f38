import { useCallback } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Token } from '../../tokens/tokenBook.ts'
import { findDefaultPair } from './findDefaultPair.ts'
import { readTradeTerms, type TradeTerms, toTradeQuery } from './tradeTerms.ts'

export type ChangeTerms = (changes: Partial<TradeTerms>) => void

/**
 * The terms that the URL has, and a way to change them there. The tokens of a URL without any are the default ones, which the first
 * change writes down, so that the link stays what it shows.
 * What is typed before the tokens are known has none yet.
 * @param tokens to take default ones of; undefined: not known yet
 */
export const useTradeTerms = (network: Network, tokens: readonly Token[] | undefined): [TradeTerms, ChangeTerms] => {
  const { query, route } = useLocation()
  const { name } = network
  const withDefaults = useCallback(
    (terms: TradeTerms): TradeTerms =>
      terms.sell === '' && terms.buy === '' && tokens ? { ...terms, ...findDefaultPair(network, tokens) } : terms,
    [network, tokens],
  )
  const change = useCallback(
    (changes: Partial<TradeTerms>) => {
      // what comes late does not bring somebody back who has gone to another page
      if (window.location.pathname !== '/') return
      // several changes may come before the next render
      const now = Object.fromEntries(new URLSearchParams(window.location.search))
      const terms = { ...withDefaults(readTradeTerms(now)), ...changes }
      route(`/?${toTradeQuery(name, terms)}`, true)
    },
    [name, withDefaults, route],
  )
  return [withDefaults(readTradeTerms(query)), change]
}
