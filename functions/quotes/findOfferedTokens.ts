import type { Address } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { TokenDetails } from '#shared/tokens/tokenDetails.ts'
import { withDeadline } from '#shared/withDeadline.ts'

export type OfferedToken = TokenDetails & { decimals: number }

type Described = (TokenDetails | undefined)[]

/**
 * In the order of the tokens; undefined for what is no token, and for all when they use up the gas together.
 * @param at.gas units for all of them together
 */
export type AskTokens = (tokens: readonly Address[], at?: { gas: bigint }) => Promise<Described>

const groupSize = 10
const parallel = 4
/** For the four questions to one token; ordinary ones take a tenth of it. */
const gasOfToken = 400_000n
const patienceMs = 5_000

/**
 * What tokens say about themselves. Anybody can trade a token of their own until it is popular, so none of those may keep the
 * others from being described: what burns all gas, or says too much, is left out by itself.
 * @param trusted those that whoever runs this has chosen
 * @returns in their order, without those that do not say their decimals
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
  const others = await withDeadline(askApart(ask, popular), patienceMs).catch((): Described => [])
  return [...known, ...others.filter(isOffered)]
}

const isOffered = (token: TokenDetails | undefined): token is OfferedToken => token?.decimals !== undefined

const askApart = async (ask: AskTokens, tokens: readonly Address[]): Promise<Described> => {
  const groups = Array.from({ length: Math.ceil(tokens.length / groupSize) }, (_, i) =>
    tokens.slice(i * groupSize, (i + 1) * groupSize),
  )
  const details = (await mapBounded(groups, parallel, (group) => askBounded(ask, group))).flat()
  // Whatever stood beside one that takes everything is asked once more, alone.
  return mapBounded([...details.entries()], parallel, async ([index, token]) => {
    const address = tokens[index]
    return token ?? (address && (await askBounded(ask, [address]))[0])
  })
}

const askBounded = (ask: AskTokens, tokens: readonly Address[]): Promise<Described> =>
  ask(tokens, { gas: gasOfToken * BigInt(tokens.length) }).catch(() => tokens.map(() => undefined))
