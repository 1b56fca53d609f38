import { findNetwork, type NetworkName, networkNames } from '#shared/networks.ts'
import type { Environment } from './environment.ts'

/**
 * The one network on a command line: its name, an alias or its chain id.
 * @throws Error with the networks that there are
 */
export const readNetwork = (positionals: readonly string[], script: string): NetworkName => {
  const [segment, ...others] = positionals
  const network = findNetwork(segment ?? '')
  if (network && others.length === 0) return network.name as NetworkName
  throw new Error(`npm run ${script} -- <network> [--staging]: one network of ${networkNames.join(', ')}`)
}

export const readEnvironment = (isStaging: boolean): Environment => (isStaging ? 'staging' : 'production')
