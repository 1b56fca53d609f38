/**
 * Resolves like `work`, or rejects at the time limit. The work then continues in the background with its result
 * ignored.
 * @throws Error after `timeoutMs`; what `work` throws
 */
export const withDeadline = async <T>(work: Promise<T>, timeoutMs: number): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no response within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
