type Facts = {
  /** HTTP status; 0 when no answer came */
  status: number
  /** as the API names it; null where it has no name */
  errorType: string | null
  /** the numbers behind it */
  data: Record<string, unknown>
  /** what to ask its operators about */
  requestId: string | null
  /** milliseconds to wait before the next attempt, when the API says them */
  retryAfterMs?: number | undefined
}

/** What the API says instead of an answer; `message` is its own description. */
export class ApiFailure extends Error {
  readonly facts: Facts

  constructor(message: string, facts: Facts) {
    super(message)
    this.facts = facts
  }
}

/** The body of an error: the order book has `errorType` and `description`, the auxiliary API a `message`. */
type ErrorBody = { errorType?: string; description?: string; message?: string; data?: Record<string, unknown> }

export const toApiFailure = (body: unknown, response: Response): ApiFailure => {
  const {
    errorType = null,
    description,
    message,
    data = {},
  } = (typeof body === 'object' && body ? body : {}) as ErrorBody
  return new ApiFailure(description ?? message ?? `the API answers ${response.status}`, {
    status: response.status,
    errorType,
    data,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterMs: readRetryAfter(response.headers.get('Retry-After')),
  })
}

/** A timer takes 24 days, and nobody waits that long. */
const maxRetryAfterMs = 3_600_000

/** The API says seconds; the date that the header may be as well is left aside. */
const readRetryAfter = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Math.min(Number(header) * 1_000, maxRetryAfterMs) : undefined

/** Whatever was thrown as something to show. */
export const asFailure = (thrown: unknown): ApiFailure => {
  if (thrown instanceof ApiFailure) return thrown
  const message =
    thrown instanceof TypeError ? 'The API cannot be reached.' : String((thrown as Error)?.message ?? thrown)
  return new ApiFailure(message, { status: 0, errorType: null, data: {}, requestId: null })
}

/**
 * The data of an answer.
 * @throws ApiFailure
 */
export const read = async <T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> => {
  const { data, error, response } = await answer
  if (!response.ok || data === undefined || data === null) throw toApiFailure(error, response)
  return data
}
