import type { Address } from 'viem'
import { callTogether } from '../chain/callTogether.ts'
import type { ChainClient } from '../chain/connectChain.ts'
import { type Network, nativeSentinel } from '../networks.ts'
import {
  buildDetailsCalls,
  callsOfDetails,
  readTokenDetails,
  type TokenDetails,
  toNativeDetails,
} from './tokenDetails.ts'

/**
 * Asks tokens what they are, all in one round trip. The native token is described by its network.
 * @param tokens in lower case
 * @param at.gas units for all of them together
 * @returns in the order of `tokens`; undefined for an account that is no ERC-20 token
 * @throws Error when the node fails: an outage is never taken for a token that does not exist
 */
export const findTokenDetails = async (
  chain: ChainClient,
  network: Pick<Network, 'nativeSymbol'>,
  tokens: readonly Address[],
  at: { gas?: bigint } = {},
): Promise<(TokenDetails | undefined)[]> => {
  const contracts = [...new Set(tokens)].filter((token) => token !== nativeSentinel)
  const calls = contracts.flatMap(buildDetailsCalls)
  const answers = calls.length > 0 ? await callTogether(chain, calls, at) : []
  const known = new Map<Address, TokenDetails | undefined>(
    contracts.map((token, i) => [token, readTokenDetails(token, answers.slice(callsOfDetails * i))]),
  )
  known.set(nativeSentinel, toNativeDetails(network))
  return tokens.map((token) => known.get(token))
}
