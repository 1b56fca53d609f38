import { deployWorker } from '../deployWorker.ts'
import type { Plan } from '../planDeployment.ts'
import { type RunWrangler, WranglerError } from '../runWrangler.ts'
import type { DeployStep } from './runSteps.ts'

/** One step for each Worker, in the order of the plan. */
export const buildDeploySteps = (
  { workers }: Plan,
  { run, version }: { run: RunWrangler; version: string },
): DeployStep[] =>
  workers.map((worker) => {
    const secrets = Object.keys(worker.secrets)
    return {
      name: `deploy ${worker.config.name}${secrets.length > 0 ? `, secrets ${secrets.join(' ')}` : ''}`,
      work: async () => {
        const { succeeded, output } = await deployWorker(run, worker, ['deploy', '--message', `edgebook ${version}`])
        if (!succeeded) throw new WranglerError(output)
        // other addresses are those of notices
        return output.match(/https:\/\/\S+\.workers\.dev|\S+ \(custom domain\)/)?.[0] ?? 'deployed'
      },
    }
  })
