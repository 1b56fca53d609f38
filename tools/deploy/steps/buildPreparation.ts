import { readRole } from '../../migrations/grantRows.ts'
import { applyMigrations } from '../../stack/applyMigrations.ts'
import type { Plan } from '../planDeployment.ts'
import type { RunWrangler } from '../runWrangler.ts'
import { createBucket } from './createBucket.ts'
import { createQueue } from './createQueue.ts'
import type { DeployStep } from './runSteps.ts'
import { toHost } from './toHost.ts'

/** Databases, queues and buckets of all Workers. */
export const buildPreparation = (
  { queues, buckets, databaseUrls, ownerUrls }: Plan,
  run: RunWrangler,
): DeployStep[] => [
  ...databaseUrls.map((databaseUrl) => ({
    name: `migrate the database at ${toHost(databaseUrl)}`,
    work: async () => {
      const ownerUrl = ownerUrls.get(databaseUrl)
      if (ownerUrl === undefined) return `${await applyMigrations(databaseUrl)} migrations applied`
      const workersRole = readRole(databaseUrl)
      const applied = await applyMigrations(ownerUrl, { workersRole })
      return `${applied} migrations applied, rows granted to ${workersRole}`
    },
  })),
  ...queues.map((queue) => ({
    name: `create the queue ${queue} unless it exists`,
    work: async () => ((await createQueue(run, queue)) ? 'made' : 'is there'),
  })),
  ...buckets.map((bucket) => ({
    name: `create the bucket ${bucket} unless it exists`,
    work: async () => ((await createBucket(run, bucket)) ? 'made' : 'is there'),
  })),
]
