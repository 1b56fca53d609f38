import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * WebAssembly modules that a bundle imports: the files beside it, which `bundleWorkers` leaves there.
 * @returns names in the bundle's folder, as the bundle imports them
 * @throws Error when the bundle was not built
 */
export const findWasmModules = (bundle: string): string[] =>
  readdirSync(dirname(bundle)).filter((name) => name.endsWith('.wasm'))
