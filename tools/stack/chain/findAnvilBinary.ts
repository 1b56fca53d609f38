import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/**
 * The anvil executable of this machine, without its npm wrapper: killing the wrapper would leave anvil running.
 * @throws Error naming the missing package
 */
export const findAnvilBinary = (platform = process.platform, arch = process.arch): string => {
  const name = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  let binary: string | undefined
  try {
    binary = join(dirname(require.resolve(`${name}/package.json`)), 'bin/anvil')
  } catch {
    // not installed
  }
  if (binary && existsSync(binary)) return binary
  throw new Error(`anvil is missing: npm did not install ${name} (is this platform supported? try npm install)`)
}
