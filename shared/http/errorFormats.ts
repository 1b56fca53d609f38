import type { ApiError, JsonObject } from './errors.ts'

/** The JSON body of an error. */
export type ErrorFormat = (error: ApiError) => JsonObject

/** How the order book says an error: `{ errorType, description, data? }`. */
export const orderBookFormat: ErrorFormat = ({ errorType, message, data }) =>
  withData({ errorType, description: message }, data)

/** How the auxiliary API says an error: `{ message, data? }` (interface specification, Errors). */
export const auxiliaryFormat: ErrorFormat = ({ message, data }) => withData({ message }, data)

const withData = (body: JsonObject, data: JsonObject | undefined): JsonObject => (data ? { ...body, data } : body)
