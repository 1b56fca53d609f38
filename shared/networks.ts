import type { Address } from 'viem'
import { z } from 'zod'
import arbitrumOne from './networks/arbitrum_one.json' with { type: 'json' }
import avalanche from './networks/avalanche.json' with { type: 'json' }
import base from './networks/base.json' with { type: 'json' }
import bnb from './networks/bnb.json' with { type: 'json' }
import gnosis from './networks/gnosis.json' with { type: 'json' }
import ink from './networks/ink.json' with { type: 'json' }
import linea from './networks/linea.json' with { type: 'json' }
import mainnet from './networks/mainnet.json' with { type: 'json' }
import { readNetworkEntry } from './networks/networkEntry.ts'
import plasma from './networks/plasma.json' with { type: 'json' }
import polygon from './networks/polygon.json' with { type: 'json' }
import sepolia from './networks/sepolia.json' with { type: 'json' }

/** Everything that differs between networks. */
export type Network = ReturnType<typeof readNetworkEntry>

/** Represents the native token as the buy token of an order. */
export const nativeSentinel: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/**
 * The operator's own networks and changes to shipped ones: JSON text of an object by name. The bundler sets it for
 * Workers, `tools/networks/loadOperatorNetworks.ts` for commands.
 */
declare const EDGEBOOK_NETWORKS: string | undefined

const shipped = {
  mainnet,
  bnb,
  gnosis,
  polygon,
  base,
  plasma,
  arbitrum_one: arbitrumOne,
  avalanche,
  ink,
  linea,
  sepolia,
}

/** The name of a shipped network. That of an operator's own network passes as one, which types cannot list. */
export type NetworkName = keyof typeof shipped

const operatorSchema = z.record(z.string(), z.looseObject({}))

/**
 * The shipped networks with the operator's own ones and changes.
 * @param own JSON text of an object by name: a whole entry, or the changed fields of a shipped one
 * @throws Error naming the network and the wrong fields, or two networks with a common segment
 */
export const readNetworks = (own: string): Record<NetworkName, Network> => {
  const changes = operatorSchema.parse(JSON.parse(own))
  const names = new Set([...Object.keys(shipped), ...Object.keys(changes)])
  const read = [...names].map((name) => {
    const entry: object | undefined = shipped[name as NetworkName]
    return readNetworkEntry(name, { name, ...entry, ...changes[name] })
  })
  const bySegment = new Map<string, Network>()
  for (const network of read) {
    for (const segment of listSegments(network)) {
      const other = bySegment.get(segment)
      if (other) throw new Error(`networks ${other.name} and ${network.name} both have ${segment}`)
      bySegment.set(segment, network)
    }
  }
  return Object.fromEntries(read.map((network) => [network.name, network])) as Record<NetworkName, Network>
}

const listSegments = ({ name, chainId, aliases }: Network): string[] => [name, String(chainId), ...aliases]

export const networks = readNetworks(typeof EDGEBOOK_NETWORKS === 'undefined' ? '{}' : EDGEBOOK_NETWORKS)

export const networkNames = Object.keys(networks) as [NetworkName, ...NetworkName[]]

const bySegment = new Map(
  Object.values(networks).flatMap((network) => listSegments(network).map((segment) => [segment, network] as const)),
)

const byChainId = new Map(Object.values(networks).map((network) => [network.chainId, network]))

/** Finds a network by chain id; undefined for an unknown id. */
export const findNetworkOf = (chainId: number): Network | undefined => byChainId.get(chainId)

/** Finds a network by path segment (name, alias or numeric chain id); undefined when unknown. */
export const findNetwork = (segment: string): Network | undefined => bySegment.get(segment)
