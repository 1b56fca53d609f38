import { z } from 'zod'
import { type RunWrangler, WranglerError } from '../deploy/runWrangler.ts'

/** A version of a Worker. */
export type Version = {
  id: string
  /** its release, such as `edgebook v1.2.0` */
  message: string
  /** ISO 8601 */
  createdAt: string
}

/** The version that a Worker has now, and those that it had before, the newest first. */
export type History = { active: Version; earlier: Version[] }

const deploymentsSchema = z.array(
  z.object({
    created_on: z.string(),
    versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })).min(1),
  }),
)
const versionsSchema = z.array(
  z.object({
    id: z.string(),
    metadata: z.object({ created_on: z.string() }),
    annotations: z.object({ 'workers/message': z.string().optional() }).optional(),
  }),
)

/**
 * The history of a Worker, as far as the platform can still deploy it. Of a split deployment, the version with the most
 * traffic counts.
 * @returns undefined for a Worker without a deployment
 * @throws WranglerError with wrangler's output
 */
export const readHistory = async (run: RunWrangler, name: string): Promise<History | undefined> => {
  const list = async (command: 'deployments' | 'versions'): Promise<unknown> => {
    const { succeeded, output } = await run([command, 'list', '--json', '--name', name])
    if (succeeded) return JSON.parse(output.slice(output.indexOf('[')))
    if (/code: (10007|10090)/.test(output)) return []
    throw new WranglerError(output)
  }
  const deployed = deploymentsSchema
    .parse(await list('deployments'))
    .toSorted((a, b) => b.created_on.localeCompare(a.created_on))
    .map(({ versions }) => versions.toSorted((a, b) => b.percentage - a.percentage)[0]?.version_id)
  if (deployed.length === 0) return undefined
  const versions = versionsSchema
    .parse(await list('versions'))
    .map(({ id, metadata, annotations }) => ({
      ...{ id, message: annotations?.['workers/message'] ?? id, createdAt: metadata.created_on },
    }))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  const active = versions.find(({ id }) => id === deployed[0])
  if (!active) throw new Error(`${name}: version ${deployed[0]} is not among its newest ${versions.length}`)
  const earlier = versions.filter(({ id, createdAt }) => deployed.includes(id) && createdAt < active.createdAt)
  return { active, earlier }
}
