import { HTTPException } from 'hono/http-exception'
import type { core } from 'zod'
import type { JsonObject, JsonValue } from '../jsonObject.ts'
import { describeError } from './describeError.ts'
import { type ErrorType, errorCatalogue } from './errorCatalogue.ts'
import { ApiError } from './errors.ts'

const maxEchoedLength = 120

/**
 * Converts any thrown value to an error of the catalogue; unknown ones become an `InternalServerError` without details.
 * @param encoding `Content-Encoding` of the request: a compressed body is read as it is, so it is no JSON
 */
export const toApiError = (error: unknown, encoding?: string): ApiError => {
  const known = findApiError(error)
  if (known) return known
  if (error instanceof HTTPException) {
    if (error.status === 415) return new ApiError('UnsupportedMediaType')
    if (error.status === 413) return new ApiError('PayloadTooLarge')
    if (error.status === 400 && encoding !== undefined && encoding !== 'identity') {
      return new ApiError('UnsupportedMediaType', {
        description: 'send the body uncompressed, without Content-Encoding',
        data: { field: 'Content-Encoding', expected: null, got: echo(encoding) },
      })
    }
    if (error.status === 400) {
      return new ApiError('InvalidParameter', {
        description: 'the request body is not valid JSON',
        data: { field: 'body', expected: 'a JSON document' },
      })
    }
  }
  return new ApiError('InternalServerError', { context: { cause: describeError(error) } })
}

/**
 * Converts the first issue of a schema to an error of the catalogue: `InvalidParameter` unless the schema gives a more
 * specific type (`params.errorType` of a custom issue). `data` has the field, the expected and the received value.
 */
export const fromSchemaError = (error: core.$ZodError, input: unknown): ApiError => {
  const issue = error.issues[0]
  if (!issue) return new ApiError('InvalidParameter')
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path
  const field = path.map((key) => String(key).slice(0, maxEchoedLength)).join('.') || 'body'
  const got = readPath(input, path)
  const data: JsonObject = { field, expected: issue.message, got: got === undefined ? null : echo(got) }
  const params = issue.code === 'custom' ? issue.params : undefined
  const errorType = isErrorType(params?.errorType) ? params.errorType : 'InvalidParameter'
  if (errorType !== 'InvalidParameter') return new ApiError(errorType, { data })
  return new ApiError('InvalidParameter', {
    description: got === undefined ? `${field} is missing: ${issue.message}` : `${field}: ${issue.message}`,
    data,
  })
}

/** Clients of nodes and of the database wrap errors of their transport. */
const findApiError = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error
  if (!(error instanceof Error)) return undefined
  return findApiError('sourceError' in error ? error.sourceError : error.cause)
}

const isErrorType = (value: unknown): value is ErrorType => typeof value === 'string' && value in errorCatalogue

const readPath = (input: unknown, path: PropertyKey[]): unknown => {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

const echo = (value: unknown): JsonValue => {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  const text = typeof value === 'string' ? value : toJsonText(value)
  return text.length > maxEchoedLength ? `${text.slice(0, maxEchoedLength)}…` : text
}

/** A document may be nested more deeply than it can be written. */
const toJsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}'
  }
}
