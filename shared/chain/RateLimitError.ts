/** The node's rate limit is exceeded (429). */
export class RateLimitError extends Error {
  override name = 'RateLimitError'
  /** requested pause, milliseconds; undefined when the node states none */
  readonly retryAfterMs: number | undefined

  /** @param retryAfter value of the header in seconds; dates are ignored */
  constructor(retryAfter: string | null) {
    super('the node responded with 429')
    this.retryAfterMs = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
  }
}
