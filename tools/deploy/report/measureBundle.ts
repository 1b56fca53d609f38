import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findWasmModules } from '../../workers/findWasmModules.ts'

/** gzip bytes of a Worker: its script, and all WebAssembly modules beside it */
export type BundleSize = { script: number; wasm: number }

/**
 * Maximum sizes of a Worker, for a quick cold start: a script is compiled and run at once, WebAssembly when it is
 * called.
 */
export const maxBundleSize: BundleSize = { script: 300 * 1024, wasm: 128 * 1024 }

const measured = new Map<string, Promise<BundleSize>>()

/** @param file bundle of `buildWorkers`, whose path changes with its content: measured once */
export const measureBundle = (file: string): Promise<BundleSize> => {
  const known = measured.get(file) ?? measure(file)
  measured.set(file, known)
  return known
}

const measure = async (file: string): Promise<BundleSize> => {
  const compress = async (path: string) => gzipSync(await readFile(path)).length
  const modules = await Promise.all(findWasmModules(file).map((name) => compress(join(dirname(file), name))))
  return { script: await compress(file), wasm: modules.reduce((sum, bytes) => sum + bytes, 0) }
}
