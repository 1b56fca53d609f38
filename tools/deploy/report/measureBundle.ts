import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findWasmModules } from '../../workers/findWasmModules.ts'

/** gzip bytes of a Worker: its script, and all WebAssembly modules beside it */
export type BundleSize = { script: number; wasm: number }

/** Maximum sizes of a Worker, for a quick cold start: a script is compiled and run at once, WebAssembly when it is called. */
export const maxBundleSize: BundleSize = { script: 250 * 1024, wasm: 128 * 1024 }

export const measureBundle = async (file: string): Promise<BundleSize> => {
  const measure = async (path: string) => gzipSync(await readFile(path)).length
  const modules = await Promise.all(findWasmModules(file).map((name) => measure(join(dirname(file), name))))
  return { script: await measure(file), wasm: modules.reduce((sum, bytes) => sum + bytes, 0) }
}
