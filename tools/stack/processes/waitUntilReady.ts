import { waitUntil } from './waitUntil.ts'

const probeTimeoutMs = 10_000

/**
 * Waits until `/readyz` of a gateway is 200.
 * @param ended of the processes that serve it
 * @throws Error with its last response
 */
export const waitUntilReady = async (
  baseUrl: string,
  { ended, timeoutMs }: { ended: Promise<string | undefined>; timeoutMs: number },
): Promise<void> => {
  let last = ''
  const isReady = async (): Promise<boolean> => {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(probeTimeoutMs) })
    last = `; /readyz: ${response.status} ${(await response.text()).slice(0, 1000)}`
    return response.status === 200
  }
  try {
    await waitUntil('the Workers are ready', isReady, { timeoutMs, intervalMs: 100, ended })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}${last}`)
  }
}
