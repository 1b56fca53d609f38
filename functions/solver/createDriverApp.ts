import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { z } from 'zod'
import { describeError } from '#shared/http/describeError.ts'
import { DriverError } from './DriverError.ts'

/**
 * An app with the conventions of the driver API: a failure is 400 `{ kind, description }`, or 503 when it is temporary.
 */
export const createDriverApp = (): OpenAPIHono => {
  const app = new OpenAPIHono()
  app.onError((error, c) => {
    if (error instanceof DriverError) {
      const isPassing = error.kind === 'Unavailable'
      if (isPassing) c.header('Retry-After', '1')
      return c.json({ kind: error.kind, description: error.message }, isPassing ? 503 : 400)
    }
    console.error(JSON.stringify({ message: 'solver failed', path: c.req.path, cause: describeError(error) }))
    return c.json({ kind: 'Unknown', description: 'internal error of the solver' }, 400)
  })
  return app
}

/**
 * The request's JSON body, checked against a schema of the driver API.
 * @throws DriverError `MalformedRequest` naming the first invalid field
 */
export const readBody = async <Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> => {
  let body: unknown
  try {
    body = JSON.parse(await c.req.text())
  } catch (error) {
    if (error instanceof SyntaxError) throw new DriverError('MalformedRequest', 'the body is not JSON')
    throw error
  }
  return checkRequest(schema, body)
}

export const checkRequest = <Schema extends z.ZodType>(schema: Schema, request: unknown): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(request)
  if (success) return data
  const [issue] = error.issues
  throw new DriverError('MalformedRequest', issue ? `${issue.path.join('.')}: ${issue.message}` : 'malformed request')
}
