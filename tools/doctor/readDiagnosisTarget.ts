import type { NetworkName } from '#shared/networks.ts'
import type { Environment } from '../deploy/environment.ts'
import { findFaults } from '../deploy/faults/findFaults.ts'
import { planDeployment } from '../deploy/planDeployment.ts'
import { readSettings } from '../deploy/readSettings.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import type { DiagnosisTarget } from './diagnose.ts'
import { type DoctorFinding, ok, wrong } from './finding.ts'
import { toDiagnosisTarget } from './toDiagnosisTarget.ts'

/**
 * The dependencies named by a deployment's settings, and the faults of the settings.
 * @param options.networks those that are served together; undefined: all with settings
 */
export const readDiagnosisTarget = async (options: {
  root: string
  dir: string
  network: NetworkName
  environment: Environment
  variables: NodeJS.ProcessEnv
  networks?: readonly NetworkName[]
}): Promise<{ target: DiagnosisTarget; findings: DoctorFinding[] }> => {
  const { root, dir, network, environment, variables, networks } = options
  const read = readSettings(dir, environment, variables)
  const served = [...read.networks].filter(([name]) => networks?.includes(name) ?? true)
  const settings = { ...read, networks: new Map(served) }
  const plan = planDeployment({
    bases: await readWorkerConfigs(root),
    settings,
    environment,
    network,
    others: [...settings.networks.keys()].filter((name) => name !== network),
    version: 'unknown',
  })
  const faults = findFaults({ dir, variables, environment, network, settings, workers: plan.workers })
  return {
    target: toDiagnosisTarget({ network, settings, plan, faults }),
    findings:
      faults.length === 0
        ? [ok('settings', 'complete')]
        : faults.map(({ setting, fault, file, about }) =>
            wrong(`setting ${setting}`, fault, `fix ${file}${about ? `: ${about}` : ''}`),
          ),
  }
}
