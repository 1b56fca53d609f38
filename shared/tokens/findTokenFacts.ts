import type { Address } from 'viem'
import { findNetworkOf, type Network, nativeSentinel } from '../networks.ts'
import type { TokenDetails } from './tokenDetails.ts'

export type TokenReference = { chainId: number; address: Address }

/** Stored facts of a token, as stated by its contract. The symbol is untrusted: see `toSafeSymbol`. */
export type TokenFacts = { decimals: number; symbol: string | null }

export type KnownToken = TokenReference & TokenFacts

export type TokenBook = {
  /** undefined when the token does not report decimals, its network is not served, or its node failed */
  find: (chainId: number, token: Address) => TokenFacts | undefined
  /** why unknown tokens could not be read; undefined: nothing is missing because of a failure */
  failure?: unknown
}

export type TokenFactsDeps = {
  isServed: (network: Network) => boolean
  /** tokens that are stored already */
  selectTokens: (tokens: readonly TokenReference[]) => Promise<KnownToken[]>
  /** in the order of the tokens; undefined for addresses that are not tokens; rejects when the node fails */
  findTokenDetails: (network: Network, tokens: readonly Address[]) => Promise<(TokenDetails | undefined)[]>
  insertTokens: (tokens: KnownToken[]) => Promise<void>
}

/**
 * Finds facts of tokens: from the database, and for the others from their contracts, in one round trip per network; new
 * facts are stored. Tokens without decimals are read again the next time. A failing node is the book's `failure`, not
 * an error: the caller decides whether facts without these tokens suffice. Native tokens need no look-up.
 */
export const findTokenFacts = async (deps: TokenFactsDeps, tokens: readonly TokenReference[]): Promise<TokenBook> => {
  const wanted = new Map(tokens.map((token) => [toKey(token), token]))
  const known = new Map<string, TokenFacts>()
  for (const [key, { chainId, address }] of wanted) {
    const network = address === nativeSentinel ? findNetworkOf(chainId) : undefined
    if (network) known.set(key, { decimals: 18, symbol: network.nativeSymbol })
  }
  const contracts = [...wanted].flatMap(([key, token]) => (known.has(key) ? [] : token))
  if (contracts.length === 0) return toBook(known)
  for (const { chainId, address, ...facts } of await deps.selectTokens(contracts)) {
    known.set(toKey({ chainId, address }), facts)
  }
  const missing = Map.groupBy(
    contracts.filter((token) => !known.has(toKey(token))),
    ({ chainId }) => chainId,
  )
  const responses = await Promise.allSettled(
    [...missing].map(([chainId, ofNetwork]) => requestTokens(deps, chainId, ofNetwork)),
  )
  const found = responses.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  await deps.insertTokens(found)
  for (const { chainId, address, ...facts } of found) known.set(toKey({ chainId, address }), facts)
  return toBook(known, responses.find((outcome) => outcome.status === 'rejected')?.reason)
}

const toBook = (known: ReadonlyMap<string, TokenFacts>, failure?: unknown): TokenBook => ({
  find: (chainId, address) => known.get(toKey({ chainId, address })),
  failure,
})

const requestTokens = async (
  deps: TokenFactsDeps,
  chainId: number,
  tokens: readonly TokenReference[],
): Promise<KnownToken[]> => {
  const network = findNetworkOf(chainId)
  if (!network || !deps.isServed(network)) return []
  const responses = await deps.findTokenDetails(
    network,
    tokens.map(({ address }) => address),
  )
  return responses.flatMap((details) => {
    if (details?.decimals === undefined) return []
    const { address, decimals, symbol } = details
    // Postgres text cannot contain this character
    return [{ chainId, address, decimals, symbol: symbol?.replaceAll('\0', '') ?? null }]
  })
}

const toKey = ({ chainId, address }: TokenReference): string => `${chainId}:${address}`
