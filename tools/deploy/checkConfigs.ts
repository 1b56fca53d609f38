import { writeWorkerConfigs } from '../workers/writeWorkerConfigs.ts'
import type { Plan } from './planDeployment.ts'

/**
 * Has wrangler parse every configuration; they stay in `.edgebook/deploy` for inspection.
 * @throws Error naming the Worker of a refused configuration
 */
export const checkConfigs = async (folder: string, { workers }: Plan): Promise<void> => {
  const { unstable_readConfig: readConfig } = await import('wrangler')
  const configs = workers.map(({ config }) => config)
  const files = await writeWorkerConfigs(folder, configs)
  for (const [index, config] of files.entries()) {
    try {
      readConfig({ config })
    } catch (error) {
      throw new Error(`${configs[index]?.name}: ${error instanceof Error ? error.message : error}`)
    }
  }
}
