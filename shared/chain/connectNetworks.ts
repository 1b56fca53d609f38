import { describeError } from '../http/describeError.ts'
import { ApiError } from '../http/errors.ts'
import type { Network, NetworkName } from '../networks.ts'
import { type ChainClient, connectChain } from './connectChain.ts'

/** Works with the node of a network, for one request. */
export type AskNetwork = <T>(network: Network, ask: (chain: ChainClient) => Promise<T>) => Promise<T>

/**
 * The way of Workers that serve several networks to their nodes.
 * @param rpcUrls JSON-RPC endpoint of each network that is served
 * @returns a function that rejects with an ApiError: `NotFound` when the network is not served, `ServiceUnavailable` when its
 *   node fails
 */
export const connectNetworks =
  (rpcUrls: ReadonlyMap<NetworkName, string>): AskNetwork =>
  async (network, ask) => {
    const rpcUrl = findServed(rpcUrls, network)
    try {
      return await ask(connectChain(rpcUrl, network.chainId))
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw new ApiError('ServiceUnavailable', {
        data: { dependency: 'chain', retryable: true },
        context: { cause: describeError(error) },
      })
    }
  }

/**
 * What belongs to a network that is served.
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
