import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'

/** Runs one step of the clock. Errors are logged, and the next tick retries. */
export const runStep = async <T>(
  { log }: { log: (entry: JsonObject) => void },
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
