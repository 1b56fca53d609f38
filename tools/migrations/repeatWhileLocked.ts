import { setTimeout as sleep } from 'node:timers/promises'

/** A lock is not free, or two transactions wait for each other: the step was undone and may be repeated. */
const repeatable = new Set(['55P03', '40P01'])
/** an hour: a vacuum of a large table holds its lock that long */
const maxAttempts = 800
const maxDelayMs = 5_000

/** Repeats a step while a lock that it needs is not free. */
export const repeatWhileLocked = async (work: () => Promise<unknown>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (!repeatable.has(findCode(error)) || attempt === maxAttempts) throw error
    }
    await sleep(Math.min(50 * 2 ** attempt, maxDelayMs) * (0.5 + Math.random() / 2))
  }
}

/** The code of a Postgres error, of which the driver's error may be the cause. */
const findCode = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : findCode(error.cause)
}
