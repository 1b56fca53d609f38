import { findNetwork, type NetworkName, networkNames } from '#shared/networks.ts'

/**
 * The one network on a command line: its name, an alias or its chain id.
 * @param usage the whole command, for whoever got it wrong
 * @throws Error with the usage and the networks that there are
 */
export const readNetwork = (positionals: readonly string[], usage: string): NetworkName => {
  const [segment, ...others] = positionals
  const network = findNetwork(segment ?? '')
  if (network && others.length === 0) return network.name as NetworkName
  throw new Error(`${usage}: one network of ${networkNames.join(', ')}`)
}
