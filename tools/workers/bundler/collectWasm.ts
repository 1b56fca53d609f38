import { basename } from 'node:path'
import type { Plugin } from 'esbuild'

/** Absolute path of each WebAssembly module, by what the bundles import. */
export type WasmSources = Map<string, string>

const resolving = Symbol('resolving')

/**
 * Leaves WebAssembly modules out of the bundles, which then import `./<file>`: Workers cannot compile bytes.
 * @param sources receives the modules
 */
export const collectWasm = (sources: WasmSources): Plugin => ({
  name: 'collect-wasm',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /\.wasm$/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === resolving) return
      const { path: source, errors } = await resolve(path, { ...from, pluginData: resolving })
      if (errors.length > 0) return { errors }
      const name = `./${basename(source)}`
      const other = sources.get(name)
      if (other && other !== source) return { errors: [{ text: `${other} has the same name as ${source}` }] }
      sources.set(name, source)
      return { path: name, external: true }
    }),
})
