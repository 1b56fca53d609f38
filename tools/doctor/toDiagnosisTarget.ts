import type { Address } from 'viem'
import type { NetworkName } from '#shared/networks.ts'
import type { SettingFault } from '../deploy/faults/findFaults.ts'
import type { Plan } from '../deploy/planDeployment.ts'
import type { DeploymentSettings } from '../deploy/readSettings.ts'
import { readSolverDeployments } from '../deploy/readSolverDeployments.ts'
import { solverKeyName } from '../settings/settingsTable.ts'
import type { DiagnosisTarget } from './diagnose.ts'

/**
 * The dependencies that a planned deployment of a network has.
 * @param options.faults of the settings: what they name is reported already, and not checked
 */
export const toDiagnosisTarget = (options: {
  network: NetworkName
  settings: DeploymentSettings
  plan: Plan
  faults: readonly SettingFault[]
}): DiagnosisTarget => {
  const { network, settings, plan, faults } = options
  const own = settings.networks.get(network) ?? {}
  const isFaulty = (prefix: string): boolean => faults.some(({ setting }) => setting.startsWith(prefix))
  const areSolversFaulty = isFaulty('SOLVERS') || isFaulty(solverKeyName(''))
  return {
    databaseUrls: isFaulty('DATABASE_URL') ? [] : plan.databaseUrls,
    rowRoleUrls: [...plan.ownerUrls.keys()],
    rpcUrl: isFaulty('RPC_URL') ? undefined : own.RPC_URL,
    mainnetRpcUrl: settings.networks.has('mainnet') ? undefined : settings.shared.MAINNET_RPC_URL,
    solvers: areSolversFaulty
      ? undefined
      : readSolverDeployments(own).solvers.map((solver) => ({
          name: solver.name,
          address: solver.address as Address,
          url: 'url' in solver ? solver.url : undefined,
        })),
    settings: { ...settings.shared, ...own },
  }
}
