/**
 * What `work` resolves to, unless it takes too long; it goes on then, and nobody waits for it.
 * @throws Error after `timeoutMs`; what `work` throws
 */
export const withDeadline = async <T>(work: Promise<T>, timeoutMs: number): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
