import type { Address } from 'viem'
import type { ReferredTrade } from '#schema/queries/affiliateStatistics.ts'
import type { KnownToken } from '#schema/queries/tokens.ts'
import { type Network, networks } from '#shared/networks.ts'
import type { TokenDetails } from '#shared/tokens/tokenDetails.ts'

type TokenFacts = { decimals: number; symbol: string | null }

/** What a token says of itself; undefined when it does not say its decimals, or when its network is not served here. */
export type TradedTokens = (chainId: number, token: Address) => TokenFacts | undefined

export type TradedTokensDeps = {
  isServed: (network: Network) => boolean
  /** in the order of the tokens; undefined for what is no token; rejects with an ApiError */
  findTokenDetails: (network: Network, tokens: readonly Address[]) => Promise<(TokenDetails | undefined)[]>
  insertTokens: (tokens: KnownToken[]) => Promise<void>
}

/**
 * What the tokens of trades say of themselves: from the database as far as it goes, the others are asked, in one round trip
 * for each network, and kept. One that gives no decimals is asked again the next time.
 */
export const findTradedTokens = async (
  deps: TradedTokensDeps,
  trades: readonly ReferredTrade[],
): Promise<TradedTokens> => {
  const known = new Map<string, TokenFacts>()
  const missing = new Map<number, Set<Address>>()
  for (const { chainId, sellToken, buyToken } of trades) {
    for (const { address, details } of [sellToken, buyToken]) {
      if (details) known.set(toKey(chainId, address), details)
      else missing.set(chainId, (missing.get(chainId) ?? new Set()).add(address))
    }
  }
  const found = (
    await Promise.all([...missing].map(([chainId, tokens]) => askTokens(deps, chainId, [...tokens])))
  ).flat()
  await deps.insertTokens(found)
  for (const { chainId, address, ...facts } of found) known.set(toKey(chainId, address), facts)
  return (chainId, token) => known.get(toKey(chainId, token))
}

const askTokens = async (deps: TradedTokensDeps, chainId: number, tokens: Address[]): Promise<KnownToken[]> => {
  const network = Object.values<Network>(networks).find((candidate) => candidate.chainId === chainId)
  if (!network || !deps.isServed(network)) return []
  const answers = await deps.findTokenDetails(network, tokens)
  return answers.flatMap((details) => {
    if (details?.decimals === undefined) return []
    const { address, decimals, symbol } = details
    // Postgres has no text with this character
    return [{ chainId, address, decimals, symbol: symbol?.replaceAll('\0', '') ?? null }]
  })
}

const toKey = (chainId: number, token: Address): string => `${chainId}:${token}`
