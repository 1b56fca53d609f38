import type { Address } from 'viem'
import { askInHalves } from '#shared/chain/askInHalves.ts'
import { callTogether } from '#shared/chain/callTogether.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import {
  buildDetailsCalls,
  callsOfDetails,
  readTokenDetails,
  type TokenDetails,
  toNativeDetails,
} from '#shared/tokens/tokenDetails.ts'

/**
 * What several tokens are, in one round trip, unless one of them keeps the others from being described: then those are asked
 * apart from it.
 * @param tokens in lower case
 * @returns in the order of `tokens`; undefined for what is no token
 * @throws Error when the node fails
 */
export const describeTokens = async (
  chain: ChainClient,
  network: Network,
  tokens: readonly Address[],
): Promise<(TokenDetails | undefined)[]> => {
  const describe = async (part: readonly Address[], at: { gas?: bigint } = {}) => {
    const answers = part.length > 0 ? await callTogether(chain, part.flatMap(buildDetailsCalls), at) : []
    return part.map((token, i) => {
      const own = answers.slice(i * callsOfDetails, (i + 1) * callsOfDetails)
      // an account without code answers nothing, and does not fail
      return { token, details: readTokenDetails(token, own), isTold: own.some((answer) => answer !== undefined) }
    })
  }
  const contracts = [...new Set(tokens)].filter((token) => token !== nativeSentinel)
  const described = await askInHalves(contracts, {
    askAll: describe,
    askPart: (part, gas) => describe(part, { gas }),
    isTold: ({ isTold }) => isTold,
  })
  const known = new Map(described.map(({ token, details }) => [token, details]))
  known.set(nativeSentinel, toNativeDetails(network))
  return tokens.map((token) => known.get(token))
}
