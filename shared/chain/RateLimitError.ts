/** The node asks to be asked less (429). */
export class RateLimitError extends Error {
  override name = 'RateLimitError'
  /** how long it wants to be left alone; undefined when it does not say */
  readonly retryAfterMs: number | undefined

  /** @param retryAfter the header: seconds, or a date, which is not read */
  constructor(retryAfter: string | null) {
    super('the node answered 429')
    this.retryAfterMs = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
  }
}
