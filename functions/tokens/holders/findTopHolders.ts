import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'
import { toAbsence } from '../toAbsence.ts'
import type { Holder, HolderOutcome, HolderSource } from './holderSource.ts'

/**
 * Combined result of all sources; `unknown`: no source knows the token; `unavailable`: a source that may know it
 * failed.
 */
export type TopHolders =
  | { status: 'holders'; holders: Holder[]; source: string }
  | { status: 'unknown' }
  | { status: 'unavailable'; sources: Record<string, string> }

export type TopHoldersDeps = {
  /** in the sequence of use */
  sources: readonly HolderSource[]
  /** undefined when the node fails; never rejects */
  isToken: (network: Network, token: Address) => Promise<boolean | undefined>
}

/**
 * Finds the holders of a token from the first source that has them. Unlike price sources, they are queried in sequence,
 * because two lists cannot verify each other, and each request costs money. For the same reason no source is queried
 * for an address that is not a token.
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
