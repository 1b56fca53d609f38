import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findWasmModules } from '../../workers/findWasmModules.ts'
import { toGroup } from '../faults/findSettingsFaults.ts'
import type { Plan } from '../planDeployment.ts'

/** Prints the sizes of the bundles. @returns whether the platform accepts all of them */
export const reportBundles = async ({ workers }: Plan, log: (line: string) => void): Promise<boolean> => {
  const files = new Map(workers.map(({ config }) => [toGroup(config), config.main]))
  const sizes = await Promise.all([...files].map(async ([group, file]) => ({ group, size: await measureBundle(file) })))
  const toKib = (bytes: number) => Math.ceil(bytes / 1024)
  const describe = ({ script, wasm }: BundleSize) =>
    `${toKib(script)}${wasm > 0 ? ` + ${toKib(wasm)} of WebAssembly` : ''}`
  log(`\nbundles, KiB gzip of ${describe(maxBundleSize)}:`)
  log(`  ${sizes.map(({ group, size }) => `${group} ${describe(size)}`).join(' · ')}`)
  const faults = sizes.flatMap(({ group, size }) =>
    (['script', 'wasm'] as const)
      .filter((part) => size[part] > maxBundleSize[part])
      .map((part) => `  ${group}: its ${part} exceeds ${maxBundleSize[part]} bytes: ${size[part]}`),
  )
  for (const fault of faults) log(fault)
  return faults.length === 0
}

/** gzip bytes of a Worker: its script, and all WebAssembly modules beside it */
type BundleSize = { script: number; wasm: number }

/**
 * Maximum sizes of a Worker, for a quick cold start: a script is compiled and run at once, WebAssembly when it is
 * called.
 */
const maxBundleSize: BundleSize = { script: 300 * 1024, wasm: 128 * 1024 }

const measured = new Map<string, Promise<BundleSize>>()

/** @param file bundle of `buildWorkers`, whose path changes with its content: measured once */
const measureBundle = (file: string): Promise<BundleSize> => {
  const known = measured.get(file) ?? measure(file)
  measured.set(file, known)
  return known
}

const measure = async (file: string): Promise<BundleSize> => {
  const compress = async (path: string) => gzipSync(await readFile(path)).length
  const modules = await Promise.all(findWasmModules(file).map((name) => compress(join(dirname(file), name))))
  return { script: await compress(file), wasm: modules.reduce((sum, bytes) => sum + bytes, 0) }
}
