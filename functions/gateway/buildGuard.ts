import type { OpenAPIHono } from '@hono/zod-openapi'
import { createApp, toErrorResponse } from '#shared/http/createApp.ts'
import { toApiError } from '#shared/http/toApiError.ts'
import type { RateLimits } from './limits/rateLimits.ts'
import { boundRequest } from './middlewares/boundRequest.ts'
import { limitRate } from './middlewares/limitRate.ts'
import { takeBody } from './middlewares/takeBody.ts'
import { findErrorFormat } from './routing/findErrorFormat.ts'

/** The handler behind the guard. */
type Behind = { answer: (request: Request) => Promise<Response> }

/**
 * Checks every request that no cache answers, the cheapest check first: size of URL and headers, rate limit of the client,
 * body. Accepted requests go to `answer` of the environment.
 */
export const buildGuard = (rateLimits: RateLimits): OpenAPIHono => {
  const app = createApp()
  app.onError((error, c) => toErrorResponse(c, toApiError(error), findErrorFormat(c.req.path)))
  app.use(boundRequest())
  app.use(limitRate(rateLimits))
  app.use(takeBody())
  app.all('*', (c) => (c.env as Behind).answer(c.req.raw))
  return app
}
