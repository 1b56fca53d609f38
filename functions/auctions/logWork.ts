import type { JsonObject } from '#shared/jsonObject.ts'
import { toLogFields, withRoundTrips } from '#shared/logging/serverTiming.ts'
import type { Network } from '#shared/networks.ts'

/**
 * Runs a part of the clock's work and logs one line: network, the facts from `describe`, duration and round trips.
 * @param describe undefined: nothing was done, so nothing is logged
 */
export const logWork = <T>(
  { network, log, now }: { network: Network; log: (entry: JsonObject) => void; now: () => number },
  message: string,
  work: () => Promise<T>,
  describe: (result: T) => JsonObject | undefined,
): Promise<T> =>
  withRoundTrips(async (spans) => {
    const startedAt = now()
    const result = await work()
    const facts = describe(result)
    if (facts) log({ message, network: network.name, ...facts, ms: now() - startedAt, ...toLogFields(spans) })
    return result
  })
