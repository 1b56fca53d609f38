import { describeError } from '#shared/http/describeError.ts'
import type { ClockDeps } from './clockDeps.ts'

/** Runs one step of the clock. Errors are logged, and the next tick retries. */
export const runStep = async <T>(
  { log }: Pick<ClockDeps, 'log'>,
  step: string,
  work: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await work()
  } catch (error) {
    log({ message: 'step failed', step, cause: describeError(error) })
    return undefined
  }
}
