import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hashFiles } from '../cache/hashFiles.ts'
import { keepBuild } from '../cache/keepBuild.ts'

const run = promisify(execFile)

/** Sources of the console and of its build. */
const sources = ['console', 'package-lock.json', 'tsconfig.base.json']

/**
 * Builds the console once; cached under `node_modules/.cache/edgebook` until a source changes.
 * @param root folder with console/
 * @returns the folder with its page and files, and Vite's `.vite/manifest.json` with the imports of each
 * @throws Error with the bundler's message
 */
export const buildConsole = async (root: string): Promise<string> => {
  const folder = join(root, `node_modules/.cache/edgebook/console-${hashFiles(root, sources)}`)
  await keepBuild(folder, (own) => build(root, own))
  return folder
}

/** In a separate process: the build must not depend on a test's environment. */
const build = async (root: string, folder: string): Promise<void> => {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const flags = ['--config', join(root, 'console/vite.config.ts'), '--outDir', folder, '--logLevel', 'warn']
  await run(process.execPath, [vite, 'build', ...flags], { env: { ...process.env, NODE_ENV: 'production' } })
}
