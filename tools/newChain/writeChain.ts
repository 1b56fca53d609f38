import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import { writeSettings } from '../deploy/writeSettings.ts'

/** Adds the entry of a network to `networks.json`. @throws Error before that, when no command could read it again */
export const writeEntry = (dir: string, name: string, entry: object): void => {
  const file = join(dir, 'networks.json')
  const entries = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}
  const text = JSON.stringify({ ...entries, [name]: entry }, null, 2)
  readNetworks(text)
  writeFileSync(file, `${text}\n`)
}

/** Settings of a file; those that are empty are absent. */
const readFile = (file: string): Record<string, string> => {
  const read = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return Object.fromEntries(Object.entries(read).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

export type ChainSettings = { shared: Record<string, string>; own: Record<string, string> }

/** The settings that are there already. */
export const readChainSettings = (dir: string, name: string): ChainSettings => ({
  shared: readFile(join(dir, '.env.shared')),
  own: readFile(join(dir, `.env.${name}`)),
})

/** Writes the settings that are not there yet: a second run changes none. */
export const addSettings = (dir: string, name: string, { shared, own }: ChainSettings): void => {
  const known = readChainSettings(dir, name)
  const missing = (wanted: Record<string, string>, there: Record<string, string>) =>
    Object.fromEntries(Object.entries(wanted).filter(([setting, value]) => value !== '' && !there[setting]))
  writeSettings(join(dir, '.env.shared'), missing(shared, known.shared))
  writeSettings(join(dir, `.env.${name}`), missing(own, known.own))
}

/** Two reference solvers with new keys, and a token for the operator's routes. */
export const createSecrets = (): Record<string, string> => ({
  SOLVERS: '[{"name":"direct","strategy":"direct"},{"name":"multihop","strategy":"multihop"}]',
  SOLVER_PRIVATE_KEY_DIRECT: `0x${randomBytes(32).toString('hex')}`,
  SOLVER_PRIVATE_KEY_MULTIHOP: `0x${randomBytes(32).toString('hex')}`,
  DEBUG_TOKEN: randomBytes(24).toString('base64url'),
})
