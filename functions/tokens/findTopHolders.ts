import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'
import type { Holder, HolderOutcome, HolderSource } from './holderSource.ts'

/** What all sources together say: no source knows the token, or one that might know it failed. */
export type TopHolders =
  | { status: 'holders'; holders: Holder[]; source: string }
  | { status: 'unknown' }
  | { status: 'unavailable'; sources: Record<string, string> }

export type TopHoldersDeps = {
  /** in the order in which they are asked */
  sources: readonly HolderSource[]
  /** undefined when the node does not say; never rejects */
  isToken: (network: Network, token: Address) => Promise<boolean | undefined>
}

/**
 * The holders of a token by the first source that has them. One is asked after the other, unlike with prices: two lists
 * cannot check each other, and each costs money. For the same reason nobody is asked about what is no token.
 */
export const findTopHolders = async (
  { sources, isToken }: TopHoldersDeps,
  network: Network,
  token: Address,
): Promise<TopHolders> => {
  if (sources.length === 0 || (await isToken(network, token)) === false) return { status: 'unknown' }
  const outcomes: (readonly [string, HolderOutcome])[] = []
  for (const { name, findHolders } of sources) {
    const outcome = await findHolders(network, token)
    if (outcome.status === 'holders') return { ...outcome, source: name }
    outcomes.push([name, outcome])
  }
  return toAbsence(outcomes)
}

const toAbsence = (outcomes: readonly (readonly [string, HolderOutcome])[]): TopHolders =>
  outcomes.every(([, { status }]) => status === 'unknown')
    ? { status: 'unknown' }
    : {
        status: 'unavailable',
        sources: Object.fromEntries(
          outcomes.map(([source, outcome]) => [source, outcome.status === 'failed' ? outcome.reason : outcome.status]),
        ),
      }
