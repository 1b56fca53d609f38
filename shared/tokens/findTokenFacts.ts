import type { Address } from 'viem'
import { findNetworkOf, type Network, nativeSentinel } from '../networks.ts'
import type { TokenDetails } from './tokenDetails.ts'

export type TokenReference = { chainId: number; address: Address }

/** What a token says of itself, as it is kept. The symbol is whatever its contract says: see `toSafeSymbol`. */
export type TokenFacts = { decimals: number; symbol: string | null }

export type KnownToken = TokenReference & TokenFacts

export type TokenBook = {
  /** undefined when the token does not say its decimals, its network is not served, or could not be asked */
  find: (chainId: number, token: Address) => TokenFacts | undefined
  /** why tokens could not be asked that are not known; undefined: all that can be known is */
  failure?: unknown
}

export type TokenFactsDeps = {
  isServed: (network: Network) => boolean
  /** those that are known already */
  selectTokens: (tokens: readonly TokenReference[]) => Promise<KnownToken[]>
  /** in the order of the tokens; undefined for what is no token; rejects when the node fails */
  findTokenDetails: (network: Network, tokens: readonly Address[]) => Promise<(TokenDetails | undefined)[]>
  insertTokens: (tokens: KnownToken[]) => Promise<void>
}

/**
 * What tokens say of themselves: from the database as far as it goes, the others are asked, in one round trip for each
 * network, and kept. One that gives no decimals is asked again the next time, and a node that fails is the book's `failure`,
 * not an error: whether an answer without these tokens will do is for the caller to say. Native tokens need nobody.
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
  const answers = await Promise.allSettled(
    [...missing].map(([chainId, ofNetwork]) => askTokens(deps, chainId, ofNetwork)),
  )
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  await deps.insertTokens(found)
  for (const { chainId, address, ...facts } of found) known.set(toKey({ chainId, address }), facts)
  return toBook(known, answers.find((answer) => answer.status === 'rejected')?.reason)
}

const toBook = (known: ReadonlyMap<string, TokenFacts>, failure?: unknown): TokenBook => ({
  find: (chainId, address) => known.get(toKey({ chainId, address })),
  failure,
})

const askTokens = async (
  deps: TokenFactsDeps,
  chainId: number,
  tokens: readonly TokenReference[],
): Promise<KnownToken[]> => {
  const network = findNetworkOf(chainId)
  if (!network || !deps.isServed(network)) return []
  const answers = await deps.findTokenDetails(
    network,
    tokens.map(({ address }) => address),
  )
  return answers.flatMap((details) => {
    if (details?.decimals === undefined) return []
    const { address, decimals, symbol } = details
    // Postgres has no text with this character
    return [{ chainId, address, decimals, symbol: symbol?.replaceAll('\0', '') ?? null }]
  })
}

const toKey = ({ chainId, address }: TokenReference): string => `${chainId}:${address}`
