import type { NetworkName } from '#shared/networks.ts'
import type { Environment } from './environment.ts'

/** Settings file of a network, or the shared one. */
export const settingsFile = (scope: NetworkName | 'shared', environment: Environment): string =>
  environment === 'production' ? `.env.${scope}` : `.env.${scope}.${environment}`
