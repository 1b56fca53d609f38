import { readNetworks } from '#shared/networks/readNetworks.ts'
import type { NetworkName } from '#shared/networks.ts'
import { nameDatabase } from '../../migrations/nameDatabase.ts'
import { readOperatorNetworks } from '../../networks/readOperatorNetworks.ts'
import { solverKeyName } from '../../settings/settingsTable.ts'
import type { Environment } from '../environment.ts'
import { readSettings, type Settings } from '../readSettings.ts'
import { settingsFile } from '../settingsFile.ts'
import type { SettingFinding } from './findMissingSettings.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * What two environments of a network must not share: with one settlement contract each imports and settles the other's
 * on-chain orders, with one database both clocks write the same orders, with one solver's key both use the same nonces.
 * @param options.dir folder of the settings files
 * @param options.own settings of the network in `environment`
 */
export const findCommonSettings = (options: {
  dir: string
  network: NetworkName
  environment: Environment
  own: Settings
  variables: Variables
}): SettingFinding[] => {
  const { dir, network, environment, own, variables } = options
  const other = environment === 'production' ? 'staging' : 'production'
  // variables belong to the environment that is deployed
  const others = readSettings(dir, other, {}).networks.get(network)
  if (!others) return []
  const file = settingsFile(network, other)
  const settlement = readSettlement(dir, network, environment, variables)
  const isSettlementCommon = settlement && settlement === readSettlement(dir, network, other, {})
  const database = own.DATABASE_URL && nameDatabase(own.DATABASE_URL)
  const isDatabaseCommon = database && others.DATABASE_URL && database === nameDatabase(others.DATABASE_URL)
  const keys = Object.values(others)
  const common = Object.keys(own).filter((name) => name.startsWith(solverKeyName('')) && keys.includes(own[name] ?? ''))
  return [
    ...(isSettlementCommon ? [['CONTRACTS', `${settlement} is the settlement contract of ${file} as well`]] : []),
    ...(isDatabaseCommon ? [['DATABASE_URL', `${file} has the same database`]] : []),
    ...common.map((name) => [name, `${file} has the same key`]),
  ].map(([setting = '', fault = '']) => ({ setting, fault, place: network }))
}

/** @returns undefined when the settings cannot be read, which the deployment of that environment reports */
const readSettlement = (
  dir: string,
  network: NetworkName,
  environment: Environment,
  variables: Variables,
): string | undefined => {
  try {
    return readNetworks(readOperatorNetworks(dir, environment === 'staging', variables))[network].settlementContract
  } catch {
    return undefined
  }
}
