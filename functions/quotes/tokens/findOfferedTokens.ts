import type { Address } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import type { TokenDetails } from '#shared/tokens/tokenDetails.ts'
import { withDeadline } from '#shared/withDeadline.ts'

export type OfferedToken = TokenDetails & { decimals: number }

type Described = (TokenDetails | undefined)[]

/** In the order of the tokens; undefined for what is no token. */
export type AskTokens = (tokens: readonly Address[]) => Promise<Described>

const patienceMs = 5_000

/**
 * Details of tokens as their contracts state them. Anyone can trade a token of their own until it is popular, so these are read
 * apart from the trusted ones, which do not wait for them.
 * @param trusted those that the operator has chosen
 * @returns in their order, without those that do not state their decimals
 * @throws ApiError `ServiceUnavailable` when the chain describes none of the trusted ones; what `ask` throws for them
 */
export const findOfferedTokens = async (
  ask: AskTokens,
  trusted: readonly Address[],
  popular: readonly Address[],
): Promise<OfferedToken[]> => {
  const known = (await ask(trusted)).filter(isOffered)
  if (trusted.length > 0 && known.length === 0)
    throw new ApiError('ServiceUnavailable', { data: { dependency: 'chain', retryable: true } })
  if (popular.length === 0) return known
  const others = await withDeadline(ask(popular), patienceMs).catch((): Described => [])
  return [...known, ...others.filter(isOffered)]
}

const isOffered = (token: TokenDetails | undefined): token is OfferedToken => token?.decimals !== undefined
