import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import type { WorkerConfig } from './workerConfig.ts'
import { sharedWorkerGroups, type WorkerGroup, workerGroups } from './workerGroups.ts'

const configSchema = z.looseObject({
  name: z.string(),
  main: z.string(),
  vars: z.record(z.string(), z.string()).optional(),
  services: z.array(z.looseObject({ binding: z.string(), service: z.string() })).optional(),
  assets: z.looseObject({ directory: z.string() }).optional(),
  r2_buckets: z.array(z.looseObject({ binding: z.string(), bucket_name: z.string() })).optional(),
  ratelimits: z
    .array(
      z.object({
        name: z.string(),
        namespace_id: z.string(),
        simple: z.object({ limit: z.number(), period: z.number() }),
      }),
    )
    .optional(),
  queues: z
    .object({
      producers: z.array(z.looseObject({ binding: z.string(), queue: z.string() })).optional(),
      consumers: z.array(z.looseObject({ queue: z.string(), dead_letter_queue: z.string().optional() })).optional(),
    })
    .optional(),
})

/**
 * The wrangler.toml of every group: the gateway's in the root folder, the others' in `functions/<group>`.
 * @throws Error naming a missing or incomplete file
 */
export const readWorkerConfigs = async (root: string): Promise<Record<WorkerGroup, WorkerConfig>> => {
  const read = (...folder: string[]): WorkerConfig => {
    const file = join(root, ...folder, 'wrangler.toml')
    if (!existsSync(file)) throw new Error(`${file} is missing`)
    const parsed = configSchema.safeParse(parse(readFileSync(file, 'utf8')))
    if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`)
    const { assets, ...config } = parsed.data
    return {
      ...config,
      main: resolve(dirname(file), config.main),
      ...(assets ? { assets: { ...assets, directory: resolve(dirname(file), assets.directory) } } : {}),
    }
  }
  const groups = [...Object.keys(workerGroups), ...Object.keys(sharedWorkerGroups), 'solver'].map((group) => [
    group,
    read('functions', group),
  ])
  return { gateway: read(), ...Object.fromEntries(groups) }
}
