import type { Address } from 'viem'
import type { NetworkName } from '#shared/networks.ts'
import type { Plan } from '../deploy/planDeployment.ts'
import type { DeploymentSettings } from '../deploy/readSettings.ts'
import { readSolverDeployments } from '../deploy/readSolverDeployments.ts'
import type { DiagnosisTarget } from './diagnose.ts'

/** The dependencies that a planned deployment of a network has. */
export const toDiagnosisTarget = (network: NetworkName, settings: DeploymentSettings, plan: Plan): DiagnosisTarget => {
  const own = settings.networks.get(network) ?? {}
  return {
    databaseUrls: plan.databaseUrls,
    rowRoleUrls: [...plan.ownerUrls.keys()],
    rpcUrl: own.RPC_URL,
    mainnetRpcUrl: settings.networks.has('mainnet') ? undefined : settings.shared.MAINNET_RPC_URL,
    solvers: readSolverDeployments(own).solvers.map((solver) => ({
      name: solver.name,
      address: solver.address as Address,
      url: 'url' in solver ? solver.url : undefined,
    })),
    settings: { ...settings.shared, ...own },
  }
}
