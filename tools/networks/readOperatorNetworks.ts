import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'

const entriesSchema = z.record(z.string(), z.record(z.string(), z.unknown()))

/**
 * The operator's own networks and changes to shipped ones: `networks.json`, then `CONTRACTS` of each settings file and
 * variable, which wins. Imports no network itself, because every network is read after it.
 * @param dir folder of the settings files
 * @returns JSON text for `readNetworks`
 * @throws Error naming a file or setting that is not JSON, or a network without an object of fields
 */
export const readOperatorNetworks = (
  dir: string,
  isStaging: boolean,
  variables: Readonly<Record<string, string | undefined>>,
): string => {
  const file = join(dir, 'networks.json')
  const entries = existsSync(file) ? readEntries('networks.json', readFileSync(file, 'utf8')) : {}
  for (const [name, contracts] of findContracts(dir, isStaging, variables))
    entries[name] = { ...entries[name], contracts }
  return JSON.stringify(entries)
}

const findContracts = (
  dir: string,
  isStaging: boolean,
  variables: Readonly<Record<string, string | undefined>>,
): [name: string, contracts: unknown][] => {
  const suffix = isStaging ? '.staging' : ''
  const pattern = new RegExp(`^\\.env\\.([a-z][a-z0-9_]*)${suffix.replace('.', '\\.')}$`)
  const written = existsSync(dir)
    ? readdirSync(dir).flatMap((file) => {
        const name = file.match(pattern)?.[1]
        return name ? [[name, parseEnv(readFileSync(join(dir, file), 'utf8')).CONTRACTS] as const] : []
      })
    : []
  const set = Object.entries(variables).flatMap(([variable, value]) => {
    const name = variable.match(/^EDGEBOOK_([A-Z][A-Z0-9_]*)_CONTRACTS$/)?.[1]
    return name ? [[name.toLowerCase(), value] as const] : []
  })
  const texts = new Map([...written, ...set].map(([name, text]) => [name, text?.trim()]))
  const shared = texts.get('shared')
  return [...texts].flatMap(([name, own]) => {
    const text = own || shared
    return name === 'shared' || !text ? [] : [[name, text.startsWith('{') ? parse(`CONTRACTS of ${name}`, text) : text]]
  })
}

const readEntries = (place: string, text: string): z.infer<typeof entriesSchema> => {
  const read = entriesSchema.safeParse(parse(place, text))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new Error([place, ...(issue?.path ?? []), issue?.message].join(': '))
}

const parse = (place: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${place}: ${error instanceof Error ? error.message : error}`)
  }
}
