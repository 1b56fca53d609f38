import type { NetworkDeployment } from './networkDeployment.ts'
import type { WorkerConfig } from './workerConfig.ts'
import type { NetworkGroup, WorkerGroup } from './workerGroups.ts'
import { workerName } from './workerName.ts'

/** Service bindings to groups of all networks. */
export const bindToNetworks = (
  bases: Record<WorkerGroup, WorkerConfig>,
  deployments: NetworkDeployment[],
  groups: readonly NetworkGroup[],
) =>
  deployments.flatMap(({ network }) =>
    groups.map((group) => ({
      binding: `${group}_${network}`.toUpperCase(),
      service: workerName(bases[group], network),
    })),
  )
