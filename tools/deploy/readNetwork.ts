import { findNetwork, type NetworkName, networkNames } from '#shared/networks.ts'

/**
 * The single network of a command line: its name, an alias or its chain id.
 * @param usage the whole command, for the error
 * @throws Error with the usage and the known networks
 */
export const readNetwork = (positionals: readonly string[], usage: string): NetworkName => {
  const [segment, ...others] = positionals
  const network = findNetwork(segment ?? '')
  if (network && others.length === 0) return network.name as NetworkName
  const got = positionals.length > 0 ? `; got ${positionals.join(' ')}` : ''
  throw new Error(`${usage}: one network of ${networkNames.join(', ')}${got}`)
}
