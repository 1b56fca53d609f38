import { ApiError } from '../http/errors.ts'
import { toUnavailable } from '../http/toUnavailable.ts'
import type { Network, NetworkName } from '../networks.ts'
import { type ChainClient, connectChain } from './connectChain.ts'

/** Runs a function with a client of a network's node, for one request. */
export type OnNetwork = <T>(network: Network, run: (chain: ChainClient) => Promise<T>) => Promise<T>

/**
 * Connects Workers that serve several networks to their nodes.
 * @param rpcUrls JSON-RPC endpoint of each served network
 * @returns a function that rejects with an ApiError: `NotFound` when the network is not served, `ServiceUnavailable`
 *   when its node fails
 */
export const connectNetworks =
  (rpcUrls: ReadonlyMap<NetworkName, string>): OnNetwork =>
  async (network, run) => {
    const rpcUrl = findServed(rpcUrls, network)
    try {
      return await run(connectChain(rpcUrl, network.chainId))
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw toUnavailable('chain', error)
    }
  }

/**
 * Finds the entry of a served network.
 * @throws ApiError `NotFound` when it is not
 */
export const findServed = <T>(served: ReadonlyMap<NetworkName, T>, network: Network): T => {
  const found = served.get(network.name as NetworkName)
  if (found !== undefined) return found
  throw new ApiError('NotFound', {
    description: 'this network is not served here',
    data: { networks: [...served.keys()] },
  })
}
