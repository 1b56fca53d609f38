import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Token } from '../../tokens/token.ts'
import { type TokenLookup, useTokenLookup } from '../../tokens/useTokenLookup.ts'
import type { Connection } from '../../wallet/connection/openConnection.ts'
import { useNamedAddress } from '../../wallet/useNamedAddress.ts'
import { type Draft, readDraft } from './draft.ts'
import { isTradable, type TradableToken } from './tradableToken.ts'
import type { TradeTerms } from './tradeTerms.ts'

export type TradeDraft = {
  draft: Draft
  /** a token is still loading, so a quote would soon be outdated */
  isLoading: boolean
}

/** Terms interpreted with the metadata of their tokens. */
export const useTrade = (
  network: Network,
  terms: TradeTerms,
  tokens: readonly Token[] | undefined,
  connection: Connection | null,
): TradeDraft => {
  const named = useNamedAddress(network, connection, terms.receiver)
  const sell = useTokenLookup(network, terms.sell, tokens ?? [])
  const buy = useTokenLookup(network, terms.buy, tokens ?? [])
  const { wrappedNative } = network
  const draft = readDraft(terms, { sell: toToken(sell), buy: toToken(buy), wrappedNative, named })
  const faults = {
    ...draft.faults,
    sell: draft.faults.sell ?? toFault(sell),
    buy: draft.faults.buy ?? toFault(buy),
  }
  const isLoading = tokens === undefined || sell.state === 'loading' || buy.state === 'loading'
  return { draft: { ...draft, faults }, isLoading }
}

const toToken = (lookup: TokenLookup): TradableToken | undefined =>
  lookup.state === 'known' && isTradable(lookup.token) ? lookup.token : undefined

const toFault = (lookup: TokenLookup): string | undefined => {
  if (lookup.state === 'unknown') return 'There is no token at this address.'
  if (lookup.state === 'known' && !isTradable(lookup.token))
    return 'This token’s decimals cannot be read, so it cannot be traded here.'
  return undefined
}
