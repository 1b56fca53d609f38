import type { Address } from 'viem'
import { callTogether, toReturned } from '../chain/calls/callTogether.ts'
import type { ChainClient } from '../chain/connectChain.ts'
import { type Network, nativeSentinel } from '../networks.ts'
import {
  buildDetailsCalls,
  callsOfDetails,
  detailsBounds,
  readTokenDetails,
  type TokenDetails,
  toNativeDetails,
} from './tokenDetails.ts'

/**
 * Details of tokens as their contracts state them, in one round trip; one that misbehaves keeps no other from being read. The
 * native token is described by its network.
 * @param tokens in lower case
 * @returns in the order of `tokens`; undefined for an account that is no ERC-20 token
 * @throws Error when the node fails: an outage is never taken for a token that does not exist
 */
export const findTokenDetails = async (
  chain: ChainClient,
  network: Pick<Network, 'nativeSymbol'>,
  tokens: readonly Address[],
): Promise<(TokenDetails | undefined)[]> => {
  const contracts = [...new Set(tokens)].filter((token) => token !== nativeSentinel)
  const calls = contracts.flatMap(buildDetailsCalls)
  const answers = (await callTogether(chain, calls, detailsBounds)).map(toReturned)
  const known = new Map<Address, TokenDetails | undefined>(
    contracts.map((token, i) => [token, readTokenDetails(token, answers.slice(callsOfDetails * i))]),
  )
  known.set(nativeSentinel, toNativeDetails(network))
  return tokens.map((token) => known.get(token))
}
