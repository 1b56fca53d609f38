import { z } from '@hono/zod-openapi'
import { networkStatusSchema } from '#shared/alarms/networkStatusSchema.ts'
import type { NetworkName } from '#shared/networks.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { Workers } from '../routing/connectWorkers.ts'

export const statusSchema = z
  .object({
    state: z
      .enum(['ok', 'degraded'])
      .openapi({ description: '`degraded`: the status of a network is unavailable, or a solver has a `fault`' }),
    time: z.iso.datetime(),
    version: z.string(),
    networks: z
      .record(z.string(), z.union([networkStatusSchema, z.object({ state: z.literal('unavailable') })]))
      .openapi({ description: 'by name' }),
  })
  .openapi('Status')

export type Status = z.infer<typeof statusSchema>

/**
 * Requests the status of every network concurrently.
 * @param timeoutMs a network that takes longer is `unavailable`
 */
export const findStatus = async (
  { workers, version, now }: { workers: Workers; version: string; now: () => number },
  timeoutMs: number,
): Promise<Status> => {
  const networks = await Promise.all(
    (Object.keys(workers) as NetworkName[]).map(
      async (network) =>
        [network, await withDeadline(requestStatus(workers, network), timeoutMs).catch(() => unavailable)] as const,
    ),
  )
  return {
    state: networks.every(([, network]) => isWell(network)) ? 'ok' : 'degraded',
    time: new Date(now()).toISOString(),
    version,
    networks: Object.fromEntries(networks),
  }
}

const isWell = (network: Status['networks'][string]): boolean =>
  network.state === 'ok' && network.solvers.every(({ fault }) => fault === null)

const unavailable = { state: 'unavailable' as const }

const requestStatus = async (workers: Workers, network: NetworkName) => {
  const response = await workers[network]?.status?.(new Request(`http://status-${network}/status.json`))
  if (!response?.ok) return unavailable
  return networkStatusSchema.parse(await response.json())
}
