import type { ReferredTrade } from '#schema/queries/affiliateStatistics.ts'
import { findTokenFacts, type TokenBook, type TokenFactsDeps } from '#shared/tokens/findTokenFacts.ts'

/** What a token says of itself; undefined when it does not say its decimals, or when its network is not served here. */
export type TradedTokens = TokenBook['find']

export type TradedTokensDeps = Omit<TokenFactsDeps, 'selectTokens'>

/**
 * What the tokens of trades say of themselves; those that are known came with the trades.
 * @throws ApiError when one has to be asked whose node fails: an outage is no token without decimals
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
