import type { Probe } from '../http/createWorker.ts'
import { type NetworkName, networks } from '../networks.ts'
import { connectNetworks } from './connectNetworks.ts'

/** The nodes of all networks that are served, as dependencies that `/readyz` asks: `rpc-sepolia`. */
export const probeNetworks = (rpcUrls: ReadonlyMap<NetworkName, string>): Record<string, Probe> => {
  const askNetwork = connectNetworks(rpcUrls)
  return Object.fromEntries(
    [...rpcUrls.keys()].map((name) => [
      `rpc-${name}`,
      async () => {
        const expected = networks[name].chainId
        const chainId = await askNetwork(networks[name], (chain) => chain.getChainId())
        if (chainId !== expected) throw new Error(`chain id ${chainId}, expected ${expected}`)
      },
    ]),
  )
}
