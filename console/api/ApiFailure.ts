type Facts = {
  /** HTTP status; 0 without a response */
  status: number
  /** as in the API; null where it names none */
  errorType: string | null
  /** figures of the error */
  data: Record<string, unknown>
  /** for questions to the operator */
  requestId: string | null
  /** milliseconds to wait before the next attempt, if the API sends them */
  retryAfterMs?: number | undefined
}

/** An error response of the API; `message` is its description. */
export class ApiFailure extends Error {
  readonly facts: Facts

  constructor(message: string, facts: Facts) {
    super(message)
    this.facts = facts
  }
}

/** The body of an error: the order book has `errorType` and `description`, the auxiliary API a `message`. */
type ErrorBody = { errorType?: string; description?: string; message?: string; data?: Record<string, unknown> }

/** The error that a response states. */
export const toApiFailure = (body: unknown, response: Response): ApiFailure => {
  const {
    errorType = null,
    description,
    message,
    data = {},
  } = (typeof body === 'object' && body ? body : {}) as ErrorBody
  return new ApiFailure(description ?? message ?? `the API responded with status ${response.status}`, {
    status: response.status,
    errorType,
    data,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterMs: readRetryAfter(response.headers.get('Retry-After')),
  })
}

/** Upper bound, milliseconds: timers overflow after 24 days. */
const maxRetryAfterMs = 3_600_000

/** Reads seconds only; a date in the header is ignored. */
const readRetryAfter = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Math.min(Number(header) * 1_000, maxRetryAfterMs) : undefined

/** Converts any thrown value into a failure to show. */
export const asFailure = (thrown: unknown): ApiFailure => {
  if (thrown instanceof ApiFailure) return thrown
  const message =
    thrown instanceof TypeError
      ? 'The API cannot be reached.'
      : (thrown as Error)?.name === 'TimeoutError'
        ? 'The API did not respond in time.'
        : String((thrown as Error)?.message ?? thrown)
  return new ApiFailure(message, { status: 0, errorType: null, data: {}, requestId: null })
}
