import { setTimeout as sleep } from 'node:timers/promises'

const patienceMs = 15_000

/** Whether the gateway at a port of 127.0.0.1 responds soon, with any status. */
export const isAnswering = async (port: number): Promise<boolean> => {
  const deadline = AbortSignal.timeout(patienceMs)
  while (!deadline.aborted) {
    try {
      await fetch(`http://127.0.0.1:${port}/healthz`, { signal: deadline })
      return true
    } catch {
      await sleep(200, undefined, { ref: false })
    }
  }
  return false
}
