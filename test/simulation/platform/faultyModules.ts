import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { DeliberateFault } from '../faults/deliberateFaults.ts'
import { readFault } from '../faults/readFault.ts'
import { findDependents } from './moduleImporters.ts'

const parameter = '?fault='

/** Modules that load the faulty one, directly or through others: they exist once with each fault. */
let dependents: ReadonlySet<string> = new Set()

const readFaultOf = (url: string | undefined): DeliberateFault | undefined => readFault(url?.split(parameter)[1])
const isChanged = (url: string, { file, name }: DeliberateFault): boolean => url.endsWith(`/${file}${parameter}${name}`)

/** URL of a module for an importer: a module with a fault imports others with it, where that makes a difference. */
export const toFaultyUrl = (url: string, importer: string | undefined): string => {
  const fault = readFaultOf(importer)
  return fault && dependents.has(url) ? `${url}${parameter}${fault.name}` : url
}

/** The changed source of the faulty module; undefined for any other. */
export const loadFaulty = (url: string): { format: string; source: string; shortCircuit: true } | undefined => {
  const fault = readFaultOf(url)
  if (!fault || !isChanged(url, fault)) return undefined
  const source = readFileSync(fileURLToPath(url), 'utf8')
  const places = source.split(fault.find).length - 1
  if (places !== 1) throw new Error(`the fault ${fault.name} fits ${places} places of ${fault.file}`)
  const changed = source.replace(fault.find, () => fault.replace)
  return { format: 'module', source: stripTypeScriptTypes(changed), shortCircuit: true }
}

/**
 * Imports modules with a deliberate fault: they are loaded without it, then those that depend on the changed one again. All
 * others remain, with the code that the runtime has compiled.
 * @param fault name; undefined: none
 * @throws Error when no module depends on the changed one
 */
export const importWithFault = async <const Names extends Record<string, string>>(
  urls: Names,
  fault: string | undefined,
): Promise<Record<keyof Names, Record<string, unknown>>> => {
  const entries = Object.entries(urls)
  const load = async (toUrl: (url: string) => string) =>
    Object.fromEntries(await Promise.all(entries.map(async ([name, url]) => [name, await import(toUrl(url))])))
  const sound = await load((url) => url)
  const { file } = readFault(fault) ?? {}
  if (file === undefined) return sound
  dependents = findDependents(`/${file}`)
  if (!entries.some(([, url]) => dependents.has(url)))
    throw new Error(`${file} was not loaded: the fault ${fault} has no effect`)
  return load((url) => (dependents.has(url) ? `${url}${parameter}${fault}` : url))
}
