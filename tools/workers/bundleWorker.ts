import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { WorkerConfig } from './workerConfig.ts'

const run = promisify(execFile)

/**
 * Builds the bundle of one Worker as a deployment does; `folder` then contains nothing else.
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
  const others = (await readdir(folder)).filter((name) => name !== toBundleName(config.main))
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true })))
  return join(folder, toBundleName(config.main))
}

export const toBundleName = (main: string): string => `${basename(main, '.ts')}.js`
