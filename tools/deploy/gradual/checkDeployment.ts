export type DeploymentCheck = {
  /** base URL of the gateway */
  url: string
  /** called after each shift */
  paths: readonly string[]
  rounds: number
  pauseMs: number
  fetch: typeof globalThis.fetch
}

/** Largest share of responses with status 5xx. */
const maxFailureShare = 0.02
const timeoutMs = 15_000

/**
 * Reads `/readyz` and other paths of a deployment for a while.
 * @throws Error when it is not ready in the end, or too many responses are 5xx or missing
 */
export const checkDeployment = async ({ url, paths, rounds, pauseMs, fetch }: DeploymentCheck): Promise<void> => {
  const request = async (path: string): Promise<number> => {
    const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined)
    await response?.body?.cancel()
    return response?.status ?? 599
  }
  const statuses: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    statuses.push(...(await Promise.all(['/readyz', ...paths].map(request))))
  }
  const failed = statuses.filter((status) => status >= 500).length
  if (failed > statuses.length * maxFailureShare)
    throw new Error(`${failed} of ${statuses.length} responses are 5xx or missing`)
  const ready = await request('/readyz')
  if (ready !== 200) throw new Error(`GET /readyz is ${ready}`)
}
