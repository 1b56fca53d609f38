import type { Probe } from '../http/createWorker.ts'
import { type NetworkName, networks } from '../networks.ts'
import { connectNetworks } from './connectNetworks.ts'

/** Readiness probes of the nodes of all served networks, such as `rpc-sepolia`. */
export const probeNetworks = (rpcUrls: ReadonlyMap<NetworkName, string>): Record<string, Probe> => {
  const onNetwork = connectNetworks(rpcUrls)
  return Object.fromEntries(
    [...rpcUrls.keys()].map((name) => [
      `rpc-${name}`,
      async () => {
        const expected = networks[name].chainId
        const chainId = await onNetwork(networks[name], (chain) => chain.getChainId())
        if (chainId !== expected) throw new Error(`chain id ${chainId}, expected ${expected}`)
      },
    ]),
  )
}
