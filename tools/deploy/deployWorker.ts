import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PreparedWorker } from './prepareWorker.ts'
import type { RunWrangler, WranglerResult } from './runWrangler.ts'

/**
 * Runs a command of wrangler for a Worker: an upload has its secrets, too. The secrets are in a file that only this
 * user can read and that is deleted after the upload; JSON, because dotenv would replace a `$`.
 * @param command for example `['deploy', '--message', '…']`
 */
export const deployWorker = async (
  run: RunWrangler,
  { config, secrets }: PreparedWorker,
  command: readonly string[],
): Promise<WranglerResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'edgebook-deploy-'))
  try {
    const configFile = join(folder, 'wrangler.json')
    await writeFile(configFile, JSON.stringify(config, null, 2))
    const secretsFile = join(folder, 'secrets.json')
    await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 })
    const withSecrets = isUpload(command) && Object.keys(secrets).length > 0 ? ['--secrets-file', secretsFile] : []
    return await run([...command, '--config', configFile, ...withSecrets])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isUpload = ([first, second]: readonly string[]): boolean => first === 'deploy' || second === 'upload'
