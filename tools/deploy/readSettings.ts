import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type NetworkName, networkNames } from '#shared/networks.ts'
import { findOperatorSetting } from '../settings/settingsTable.ts'
import type { Environment } from './environment.ts'
import { settingsFile } from './settingsFile.ts'

/** Settings by name; empty values are absent. */
export type Settings = Readonly<Record<string, string>>

export type DeploymentSettings = {
  /** of the shared Workers, and of every network without its own value */
  shared: Settings
  /** by configured network, in the order of `shared/networks.ts` */
  networks: ReadonlyMap<NetworkName, Settings>
}

/**
 * The settings of a deployment: `.env.shared` and `.env.<network>` (with `.staging` after the name for staging). A
 * variable `EDGEBOOK_SHARED_<NAME>` or `EDGEBOOK_<NETWORK>_<NAME>` of the process wins. A network with a file or a
 * variable is configured.
 * @param root folder with the files
 */
export const readSettings = (
  root: string,
  environment: Environment,
  variables: Readonly<Record<string, string | undefined>>,
): DeploymentSettings => {
  const read = (scope: NetworkName | 'shared'): Settings | undefined => {
    const file = join(root, settingsFile(scope, environment))
    const own = findVariables(variables, `EDGEBOOK_${scope.toUpperCase()}_`)
    if (!existsSync(file) && Object.keys(own).length === 0) return undefined
    const written = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
    return dropEmpty({ ...written, ...own })
  }
  const shared = read('shared') ?? {}
  const forEach = Object.fromEntries(
    Object.entries(shared).filter(([name]) => findOperatorSetting(name)?.scope === 'network'),
  )
  const networks = networkNames.flatMap((network) => {
    const own = read(network)
    return own ? [[network, { ...forEach, ...own }] as const] : []
  })
  return { shared, networks: new Map(networks) }
}

const findVariables = (variables: Readonly<Record<string, string | undefined>>, prefix: string) =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== undefined ? [[name.slice(prefix.length), value]] : [],
    ),
  )

const dropEmpty = (settings: Record<string, string | undefined>): Settings =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])))
