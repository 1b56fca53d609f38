import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findWasmModules } from './findWasmModules.ts'
import type { WorkerConfig } from './workerConfig.ts'

const run = promisify(execFile)

/**
 * Builds the bundle of one Worker as a deployment does; `folder` then contains it and the WebAssembly modules that it
 * imports, nothing else.
 * @returns the bundle's path
 * @throws Error with the bundler's message
 */
export const bundleWorker = async ({ vars, services, ...config }: WorkerConfig, folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  const configFile = join(folder, 'wrangler.json')
  await writeFile(configFile, JSON.stringify(config))
  const wrangler = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js')
  const args = [wrangler, 'deploy', '--dry-run', '--config', configFile, '--outdir', folder]
  await run(process.execPath, args, { env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } })
  const bundle = join(folder, toBundleName(config.main))
  const parts = [basename(bundle), ...findWasmModules(bundle)]
  const others = (await readdir(folder)).filter((name) => !parts.includes(name))
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true })))
  return bundle
}

export const toBundleName = (main: string): string => `${basename(main, '.ts')}.js`
