import { registerHooks } from 'node:module'
import { loadFaulty, toFaultyUrl } from './faultyModules.ts'
import { addImporter } from './moduleImporters.ts'

/**
 * Loads the platform's module `cloudflare:workers` from here, and the module that a deliberate fault changes. Import this
 * file before any other of the service.
 */

/** End of a specifier, and the module that is loaded for it. */
const replaced = [
  ['cloudflare:workers', './cloudflareWorkers.ts'],
  ['/utils/uid.js', './viemUid.ts'],
  ['/toSignatureHash.js', './viemSignatureHash.ts'],
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
    const resolved =
      parentFormat && relative.test(specifier)
        ? { url: new URL(specifier, parentURL).href, format: parentFormat, shortCircuit: true }
        : next(specifier, context)
    const url = toFaultyUrl(resolved.url, parentURL)
    addImporter(url, parentURL)
    if (isOfModules(resolved.format)) formats.set(url, resolved.format as string)
    return { ...resolved, url }
  },
  load: (url, context, next) => loadFaulty(url) ?? next(url, context),
})
