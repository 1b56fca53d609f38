import type { JsonObject } from '../jsonObject.ts'
import { type ErrorType, errorCatalogue } from './errorCatalogue.ts'

/** An error of the catalogue. `data` goes to the client, `context` only to the log. */
export class ApiError extends Error {
  readonly errorType: ErrorType
  readonly data: JsonObject | undefined
  readonly context: JsonObject | undefined

  constructor(errorType: ErrorType, facts: { description?: string; data?: JsonObject; context?: JsonObject } = {}) {
    super(facts.description ?? errorCatalogue[errorType].description)
    this.name = 'ApiError'
    this.errorType = errorType
    this.data = facts.data
    this.context = facts.context
  }
}
