import { listNodes } from '#shared/chain/nodes/fetchNode.ts'
import type { NetworkName } from '#shared/networks.ts'
import type { Environment } from '../deploy/environment.ts'
import { readSettings } from '../deploy/readSettings.ts'
import { settingsFile } from '../deploy/settingsFile.ts'

/**
 * The first node of `RPC_URL` in a network's settings.
 * @throws Error naming the file without it
 */
export const findNodeUrl = (
  dir: string,
  network: NetworkName,
  environment: Environment,
  variables: NodeJS.ProcessEnv,
): string => {
  const [url] = listNodes(readSettings(dir, environment, variables).networks.get(network)?.RPC_URL ?? '')
  if (url) return url
  throw new Error(`RPC_URL is missing in ${settingsFile(network, environment)}`)
}
