import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until the condition is true.
 * @param options.ended resolves with a reason to stop waiting
 * @throws Error naming the condition, or the reason of `ended`
 */
export const waitUntil = async (
  what: string,
  isTrue: () => Promise<boolean>,
  options: { timeoutMs: number; intervalMs?: number; ended?: Promise<string | undefined> },
): Promise<void> => {
  const deadline = Date.now() + options.timeoutMs
  let endedBecause: string | undefined
  let ended = false
  void options.ended?.then((reason) => {
    ended = true
    endedBecause = reason
  })
  while (!(await isTrue().catch(() => false))) {
    if (ended) throw new Error(endedBecause ?? `stopped while waiting for ${what}`)
    if (Date.now() > deadline) throw new Error(`${what}: timed out after ${options.timeoutMs / 1000} s`)
    await sleep(options.intervalMs ?? 50)
  }
}
