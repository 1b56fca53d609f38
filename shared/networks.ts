import type { Address } from 'viem'
import { listSegments } from './networks/listSegments.ts'
import { readNetworks } from './networks/readNetworks.ts'

/** Represents the native token as the buy token of an order. */
export const nativeSentinel: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** The wrapped native token for the native one, which has no pools, and any other token unchanged. */
export const wrapToken = (token: Address, wrappedNative: Address): Address =>
  token === nativeSentinel ? wrappedNative : token

/**
 * The operator's own networks and changes to shipped ones: JSON text of an object by name. Set for commands by
 * `tools/networks/loadOperatorNetworks.ts`; bundles contain the networks.
 */
declare const EDGEBOOK_NETWORKS: string | undefined

export const networks = readNetworks(typeof EDGEBOOK_NETWORKS === 'undefined' ? '{}' : EDGEBOOK_NETWORKS)

/** The name of a shipped network. That of an operator's own network passes as one, which types cannot list. */
export type NetworkName = keyof typeof networks

/** Everything that differs between networks. */
export type Network = (typeof networks)[NetworkName]

export const networkNames = Object.keys(networks) as [NetworkName, ...NetworkName[]]

const bySegment = new Map(
  Object.values(networks).flatMap((network) => listSegments(network).map((segment) => [segment, network] as const)),
)

const byChainId = new Map(Object.values(networks).map((network) => [network.chainId, network]))

/** Finds a network by chain id; undefined for an unknown id. */
export const findNetworkOf = (chainId: number): Network | undefined => byChainId.get(chainId)

/** Finds a network by path segment (name, alias or numeric chain id); undefined when unknown. */
export const findNetwork = (segment: string): Network | undefined => bySegment.get(segment)
