import type { Address } from 'viem'
import { callTogether, toReturned } from '../chain/calls/callTogether.ts'
import type { ChainClient } from '../chain/connectChain.ts'
import { type Network, nativeSentinel } from '../networks.ts'
import { readTokenDetails } from './readTokenDetails.ts'
import { buildDetailsCalls, callsOfDetails, detailsBounds, type TokenDetails, toNativeDetails } from './tokenDetails.ts'

/**
 * Token details as stated by their contracts, in one round trip; a misbehaving token does not affect the others. The
 * native token is described by its network.
 * @param tokens in lower case
 * @returns in the order of `tokens`; undefined for an account that is not an ERC-20 token
 * @throws Error when the node fails: an outage never counts as a missing token
 */
export const findTokenDetails = async (
  chain: ChainClient,
  network: Pick<Network, 'nativeSymbol'>,
  tokens: readonly Address[],
): Promise<(TokenDetails | undefined)[]> => {
  const contracts = [...new Set(tokens)].filter((token) => token !== nativeSentinel)
  const calls = contracts.flatMap(buildDetailsCalls)
  const responses = (await callTogether(chain, calls, detailsBounds)).map(toReturned)
  const known = new Map<Address, TokenDetails | undefined>(
    contracts.map((token, i) => [token, readTokenDetails(token, responses.slice(callsOfDetails * i))]),
  )
  known.set(nativeSentinel, toNativeDetails(network))
  return tokens.map((token) => known.get(token))
}
