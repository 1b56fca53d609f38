import { readRole } from '../../migrations/grantRows.ts'
import { applyMigrations } from '../../stack/applyMigrations.ts'
import type { Plan } from '../planDeployment.ts'
import { type RunWrangler, WranglerError } from '../runWrangler.ts'
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

/** platform error for a name that the account has already */
const exists = '[code: 10004]'

/**
 * Creates an R2 bucket unless it exists.
 * @returns whether it was created
 * @throws WranglerError
 */
export const createBucket = async (run: RunWrangler, name: string): Promise<boolean> => {
  const made = await run(['r2', 'bucket', 'create', name])
  if (made.succeeded) return true
  if (!made.output.includes(exists)) throw new WranglerError(made.output)
  return false
}

/**
 * Creates a queue unless it exists.
 * @returns whether it was created
 * @throws WranglerError
 */
export const createQueue = async (run: RunWrangler, name: string): Promise<boolean> => {
  const known = await run(['queues', 'info', name])
  if (known.succeeded) return false
  const made = await run(['queues', 'create', name])
  if (!made.succeeded) throw new WranglerError(made.output)
  return true
}
