/** Error kinds of the driver API; its client handles all of them. */
export type DriverErrorKind =
  | 'CustomSolverError'
  | 'DeadlineExceeded'
  | 'FailedToSubmit'
  | 'InsufficientLiquidity'
  | 'MalformedRequest'
  | 'QuoteSameTokens'
  | 'QuotingFailed'
  | 'SolutionNotAvailable'
  | 'TokenTemporarilySuspended'
  | 'TradingOutsideAllowedWindow'
  | 'Unavailable'
  | 'Unknown'

/**
 * A failure that the driver API returns as 400 `{ kind, description }`, or as 503 for `Unavailable`, where a retry may
 * help.
 */
export class DriverError extends Error {
  readonly kind: DriverErrorKind

  constructor(kind: DriverErrorKind, description: string) {
    super(description)
    this.name = 'DriverError'
    this.kind = kind
  }
}
