import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkName } from '#shared/networks.ts'
import type { Environment } from './environment.ts'
import { settingsFile } from './readSettings.ts'
import { settingsTable } from './settingsTable.ts'

/** Runs with one solver of each strategy. */
const defaultSolvers = `SOLVERS='[{"name":"direct","strategy":"direct"},{"name":"multihop","strategy":"multihop"}]'
# private keys of their accounts, secret: each allow-listed on-chain, with native tokens for gas
SOLVER_PRIVATE_KEY_DIRECT=
SOLVER_PRIVATE_KEY_MULTIHOP=`

/**
 * Writes the files of a network's settings that are not there yet: every setting with a word on it, readable by this user only.
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
      log(`${name} is there already: left as it is`)
      continue
    }
    await writeFile(file, toTemplate(scope === 'shared' ? 'shared' : 'network'), { mode: 0o600 })
    log(`${name} written: fill in what is required, then npm run doctor -- ${network}`)
  }
  return true
}

/** Required settings stand open, the others behind a `#`. */
export const toTemplate = (scope: 'network' | 'shared'): string => {
  const head =
    scope === 'shared'
      ? '# Settings of what runs once. Settings of a network may stand here too: then they hold for each that has none of its own.\n'
      : '# Settings of one network.\n'
  const rows = Object.entries(settingsTable).filter(([, row]) => row.scope === scope)
  const lines = rows.map(([name, { required, secret, about }]) => {
    const comment = `# ${about}${required ? ' (required)' : ''}${secret ? ' (secret)' : ''}`
    if (name === 'SOLVERS') return `${comment}\n${defaultSolvers}`
    return `${comment}\n${required ? '' : '# '}${name}=`
  })
  return `${[head, ...lines].join('\n')}\n`
}
