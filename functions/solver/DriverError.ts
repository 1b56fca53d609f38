/** Words of the driver API for what a solver cannot do; the client of the API knows them all. */
export type DriverErrorKind =
  | 'DeadlineExceeded'
  | 'FailedToSubmit'
  | 'MalformedRequest'
  | 'QuoteSameTokens'
  | 'QuotingFailed'
  | 'SolutionNotAvailable'
  | 'Unavailable'
  | 'Unknown'

/** A failure that the driver API answers with 400 `{ kind, description }`, or 503 for `Unavailable`: another try may help. */
export class DriverError extends Error {
  readonly kind: DriverErrorKind

  constructor(kind: DriverErrorKind, description: string) {
    super(description)
    this.name = 'DriverError'
    this.kind = kind
  }
}
