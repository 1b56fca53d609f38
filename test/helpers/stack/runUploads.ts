import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessGroup } from '#tools/stack/processes/spawnGroup.ts'
import type { Reaper } from '#tools/stack/processes/startReaper.ts'
import { startWorkers } from '#tools/stack/startWorkers.ts'
import type { WorkerConfig } from '#tools/workers/workerConfig.ts'
import { writeWorkerConfigs } from '#tools/workers/writeWorkerConfigs.ts'
import type { Upload } from './startCloudflare.ts'

/** No platform cache and no proxy are in front of these Workers. */
const gatewayVars = { CACHE: 'off', CLIENT_ADDRESS_HEADER: '' }

/**
 * Runs the Workers of a deployment in workerd, with the vars and secrets that were uploaded.
 * @param options.derived folder of the configurations that `npm run deploy` has written
 */
export const runUploads = async (options: {
  dir: string
  derived: string
  uploads: readonly Upload[]
  port: number
  reaper: Reaper
}): Promise<ProcessGroup> => {
  const { dir, derived, uploads, port, reaper } = options
  const configs = await Promise.all(
    (await readdir(derived)).map(
      async (name) => JSON.parse(await readFile(join(derived, name, 'wrangler.json'), 'utf8')) as WorkerConfig,
    ),
  )
  const runnable = uploads.map(({ name, bindings }) => {
    const config = configs.find((each) => each.name === name)
    if (!config) throw new Error(`${name} was uploaded without a configuration`)
    const { observability, secrets, workers_dev, preview_urls, ...known } = config as WorkerConfig &
      Record<string, unknown>
    const texts = bindings.filter(({ type }) => type === 'plain_text' || type === 'secret_text')
    const vars = Object.fromEntries(texts.map((binding) => [binding.name, binding.text ?? '']))
    return { ...known, vars: { ...vars, ...(name === gateway ? gatewayVars : {}) } } as WorkerConfig
  })
  // the first serves the port
  const sorted = runnable.toSorted((a, b) => Number(b.name === gateway) - Number(a.name === gateway))
  const configFiles = await writeWorkerConfigs(join(dir, 'workers'), sorted)
  return startWorkers({ dir, configFiles, port, reaper })
}

const gateway = 'edgebook-gateway'
