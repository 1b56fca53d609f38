import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkName } from '#shared/networks.ts'
import { describeSetting } from '../settings/describeSetting.ts'
import { listOperatorSettings } from '../settings/settingsTable.ts'
import type { Environment } from './environment.ts'
import { settingsFile } from './settingsFile.ts'

/** Runs with one solver of each strategy. */
const defaultSolvers = `SOLVERS='[{"name":"direct","strategy":"direct"},{"name":"multihop","strategy":"multihop"}]'
# private keys of their accounts, secret: each allow-listed on-chain, with native tokens for gas
SOLVER_PRIVATE_KEY_DIRECT=
SOLVER_PRIVATE_KEY_MULTIHOP=`

/**
 * Writes the missing settings files of a network: every setting with a description, readable by this user only.
 * @returns true
 */
export const writeTemplates = async (
  { dir, network, environment }: { dir: string; network: NetworkName; environment: Environment },
  log: (line: string) => void,
): Promise<true> => {
  for (const scope of ['shared', network] as const) {
    const name = settingsFile(scope, environment)
    const file = join(dir, name)
    if (existsSync(file)) {
      log(`${name} exists: unchanged`)
      continue
    }
    await writeFile(file, toTemplate(scope === 'shared' ? 'shared' : 'network'), { mode: 0o600 })
    log(
      `${name} written: fill in what is required, then npm run doctor -- ${network}${environment === 'staging' ? ' --staging' : ''}`,
    )
  }
  return true
}

/** Required settings are uncommented, the others behind a `#`. */
const toTemplate = (scope: 'network' | 'shared'): string => {
  const head =
    scope === 'shared'
      ? '# Settings of the shared Workers. Network settings here apply to each network without its own value.\n'
      : '# Settings of one network.\n'
  const lines = listOperatorSettings(scope).map(([name, row]) => {
    const { secret } = row
    const isRequired = row.required === true
    const comment = `# ${describeSetting(row)}${isRequired ? ' (required)' : ''}${secret ? ' (secret)' : ''}`
    if (name === 'SOLVERS') return `${comment}\n${defaultSolvers}`
    return `${comment}\n${isRequired ? '' : '# '}${name}=${quote(row.default ?? '')}`
  })
  return `${[head, ...lines].join('\n')}\n`
}

const quote = (value: string): string => (value.includes('"') ? `'${value}'` : value)
