import type { Address } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import type { TokenDetails } from '#shared/tokens/tokenDetails.ts'
import { withDeadline } from '#shared/withDeadline.ts'

export type OfferedToken = TokenDetails & { decimals: number }

type Described = (TokenDetails | undefined)[]

/** In the order of the tokens; undefined for addresses that are not tokens. */
export type DescribeTokens = (tokens: readonly Address[]) => Promise<Described>

const patienceMs = 5_000

/**
 * Token details as stated by their contracts. Anyone can make their own token popular by trading it, so popular tokens
 * are read separately and never delay the trusted ones.
 * @param trusted tokens chosen by the operator
 * @returns in their order, without tokens that do not report decimals
 * @throws ApiError `ServiceUnavailable` when none of the trusted tokens can be read; errors of `describe` for trusted tokens
 */
export const findOfferedTokens = async (
  describe: DescribeTokens,
  trusted: readonly Address[],
  popular: readonly Address[],
): Promise<OfferedToken[]> => {
  const known = (await describe(trusted)).filter(isOffered)
  if (trusted.length > 0 && known.length === 0)
    throw new ApiError('ServiceUnavailable', { data: { dependency: 'chain', retryable: true } })
  if (popular.length === 0) return known
  const others = await withDeadline(describe(popular), patienceMs).catch((): Described => [])
  return [...known, ...others.filter(isOffered)]
}

const isOffered = (token: TokenDetails | undefined): token is OfferedToken => token?.decimals !== undefined
