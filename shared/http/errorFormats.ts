import type { JsonObject } from '../jsonObject.ts'
import type { ApiError } from './errors.ts'

/** The JSON body of an error. */
export type ErrorFormat = (error: ApiError) => JsonObject

/** Error body of the order book: `{ errorType, description, data? }`. */
export const orderBookFormat: ErrorFormat = ({ errorType, message, data }) =>
  withData({ errorType, description: message }, data)

/** Error body of the auxiliary API: `{ message, data? }` (interface specification, Errors). */
export const auxiliaryFormat: ErrorFormat = ({ message, data }) => withData({ message }, data)

const withData = (body: JsonObject, data: JsonObject | undefined): JsonObject => (data ? { ...body, data } : body)
