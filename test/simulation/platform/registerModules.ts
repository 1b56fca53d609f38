import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readFault } from '../faults/readFault.ts'

/**
 * Loads the platform's module `cloudflare:workers` from here, and a deliberate fault (`SIMULATION_FAULT=<name>`) into the
 * one module that it changes. Import this file before any other of the service.
 */
const fault = readFault(process.env.SIMULATION_FAULT)
let isInjected = false

/** End of a specifier, and the module that is loaded for it. */
const replaced = [
  ['cloudflare:workers', './cloudflareWorkers.ts'],
  ['/utils/uid.js', './viemUid.ts'],
  ['/createUuid.ts', './platformUuid.ts'],
] as const

/** Formats of modules by URL. */
const formats = new Map<string, string>()
const relative = /^\.\.?\/.*\.(js|ts)$/
const isOfModules = (format: string | null | undefined) => format === 'module' || format === 'module-typescript'

registerHooks({
  resolve: (specifier, context, next) => {
    const own = replaced.find(([ending]) => specifier.endsWith(ending))
    if (own) return { url: new URL(own[1], import.meta.url).href, shortCircuit: true }
    const { parentURL } = context
    const parentFormat = parentURL === undefined ? undefined : formats.get(parentURL)
    // within a package the format is that of the parent: looking for its package.json took a third of the loading time
    if (parentFormat && relative.test(specifier)) {
      const url = new URL(specifier, parentURL).href
      formats.set(url, parentFormat)
      return { url, format: parentFormat, shortCircuit: true }
    }
    const resolved = next(specifier, context)
    if (isOfModules(resolved.format)) formats.set(resolved.url, resolved.format as string)
    return resolved
  },
  load: (url, context, next) => {
    if (!fault || !url.endsWith(`/${fault.file}`)) return next(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    const places = source.split(fault.find).length - 1
    if (places !== 1) throw new Error(`the fault ${fault.name} fits ${places} places of ${fault.file}`)
    isInjected = true
    const changed = source.replace(fault.find, () => fault.replace)
    return { format: 'module', source: stripTypeScriptTypes(changed), shortCircuit: true }
  },
})

/** @throws Error when the requested fault was not loaded */
export const checkInjected = (): void => {
  if (fault && !isInjected) throw new Error(`${fault.file} was not loaded: the fault ${fault.name} has no effect`)
}
