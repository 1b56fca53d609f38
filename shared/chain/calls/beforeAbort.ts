import { SimulationError } from './simulateCalls.ts'

/**
 * Resolves like `work`, or rejects once the signal aborts. The work then continues with its result ignored.
 * @throws SimulationError `timeout`; what `work` throws
 */
export const beforeAbort = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const end = () => late.reject(new SimulationError('timeout'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
