import type { ReferredTrade } from '#schema/queries/affiliate/selectTraderActivity.ts'
import { findTokenFacts, type TokenBook, type TokenFactsDeps } from '#shared/tokens/findTokenFacts.ts'

/** Metadata of a token; undefined without decimals, or when its network is not served. */
export type TradedTokens = TokenBook['find']

export type TradedTokensDeps = Omit<TokenFactsDeps, 'selectTokens'>

/**
 * Finds the metadata of traded tokens; known ones come with the trades.
 * @throws ApiError when a token is unknown and the node fails; an outage is not reported as missing decimals
 */
export const findTradedTokens = async (
  deps: TradedTokensDeps,
  trades: readonly ReferredTrade[],
): Promise<TradedTokens> => {
  const traded = trades.flatMap(({ chainId, sellToken, buyToken }) =>
    [sellToken, buyToken].map(({ address, details }) => ({ chainId, address, details })),
  )
  const known = traded.flatMap(({ details, ...token }) => (details ? { ...token, ...details } : []))
  const { find, failure } = await findTokenFacts({ ...deps, selectTokens: async () => known }, traded)
  if (failure) throw failure
  return find
}
