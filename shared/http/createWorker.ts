import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ExecutionContext } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import { withConnectionLimit } from '../connections/connectionLimit.ts'
import { withRequestId } from '../logging/logEntry.ts'
import { type Spans, toServerTimingHeader, withRoundTrips } from '../logging/serverTiming.ts'
import { withDeadline } from '../withDeadline.ts'
import { cachePolicies } from './cachePolicies.ts'
import { createApp, handleNotFound, toErrorResponse } from './createApp.ts'
import { describeApp } from './describeApp.ts'
import { type ErrorFormat, orderBookFormat } from './errorFormats.ts'
import { ApiError } from './errors.ts'
import { NotReadyError } from './NotReadyError.ts'

const defaultMaxBodyBytes = 16 * 1024

/** How long `/readyz` waits for a dependency. */
const probeTimeoutMs = 2_000

/**
 * Checks one dependency; rejects when it is unavailable. The message of a `NotReadyError` is published as the reason.
 */
export type Probe = () => Promise<unknown>

export type WorkerDefinition<Settings> = {
  /** the Worker's environment; bindings pass through unparsed */
  settings: z.ZodType<Settings>
  routes: (settings: Settings) => OpenAPIHono[]
  /** dependencies by name, checked by `/readyz` */
  probes: (settings: Settings) => Record<string, Probe>
  /** finds what the operator has paused; `/readyz` lists it, and stays ready */
  findPaused?: (settings: Settings) => Promise<readonly string[]>
  /** longer request bodies are rejected; default 16 KiB */
  maxBodyBytes?: number
  /** of errors outside any route; default: the order book's */
  errorFormat?: ErrorFormat
}

/**
 * A Worker built from its routes: settings are parsed once, bodies are bounded, `Server-Timing` and a default
 * `Cache-Control` are set. With a missing or malformed setting every path except `/healthz` returns a 503 that names
 * it. `/openapi.json` describes the routes of this Worker; the gateway merges the documents of all Workers.
 */
export const createWorker = <Settings>(definition: WorkerDefinition<Settings>) => {
  const apps = new WeakMap<object, OpenAPIHono>()
  return {
    buildApp: (env: object): OpenAPIHono => buildWorkerApp(definition, env),
    async fetch(request: Request, env: object, ctx: ExecutionContext): Promise<Response> {
      const app = apps.get(env) ?? buildWorkerApp(definition, env)
      apps.set(env, app)
      return withRequestId(request.headers.get('X-Request-Id'), () =>
        withConnectionLimit(() =>
          withRoundTrips(async (spans) => {
            const response = await app.fetch(request, env, ctx)
            try {
              return complete(response, spans)
            } catch {
              // headers of another Worker's response, such as a stream of a Durable Object, are immutable
              return complete(new Response(response.body, response), spans)
            }
          }),
        ),
      )
    },
  }
}

/** @throws TypeError when the headers are immutable */
const complete = (response: Response, spans: Spans): Response => {
  const timing = toServerTimingHeader(spans)
  if (timing) response.headers.set('Server-Timing', timing)
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', cachePolicies.noStore)
  return response
}

const buildWorkerApp = <Settings>(definition: WorkerDefinition<Settings>, env: object): OpenAPIHono => {
  const { maxBodyBytes = defaultMaxBodyBytes, errorFormat = orderBookFormat } = definition
  const app = createApp(errorFormat)
  app.use(bodyLimit({ maxSize: maxBodyBytes, onError: () => refuseBody(maxBodyBytes) }))
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  const parsed = definition.settings.safeParse(env)
  if (!parsed.success) {
    const settings = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    app.all('*', (c) => toErrorResponse(c, new ApiError('ServiceUnavailable', { data: { settings } }), errorFormat))
    return app
  }
  const probes = definition.probes(parsed.data)
  const findPaused = async (): Promise<readonly string[]> => {
    if (!definition.findPaused) return []
    // a probe reports a database that does not respond
    return withDeadline(definition.findPaused(parsed.data), probeTimeoutMs).catch(() => [])
  }
  app.get('/readyz', async (c) => {
    const states = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => [name, await checkProbe(probe)] as const),
    )
    const ready = states.every(([, { state }]) => state === 'ok')
    const dependencies = Object.fromEntries(states.map(([name, { state }]) => [name, state]))
    const known = states.flatMap(([name, { reason }]) => (reason === undefined ? [] : [[name, reason] as const]))
    const reasons = known.length > 0 ? { reasons: Object.fromEntries(known) } : {}
    const paused = await findPaused()
    const pauses = paused.length > 0 ? { pauses: paused } : {}
    return c.json({ status: ready ? 'ok' : 'unavailable', dependencies, ...reasons, ...pauses }, ready ? 200 : 503)
  })
  for (const routes of definition.routes(parsed.data)) app.route('/', routes)
  app.get('/openapi.json', (c) => c.json(describeApp(app)))
  app.notFound(handleNotFound(app, errorFormat))
  return app
}

const refuseBody = (maxBodyBytes: number): never => {
  throw new ApiError('PayloadTooLarge', { data: { maxBytes: maxBodyBytes } })
}

const checkProbe = async (probe: Probe): Promise<{ state: 'ok' | 'unavailable'; reason?: string }> => {
  try {
    await withDeadline(probe(), probeTimeoutMs)
    return { state: 'ok' }
  } catch (error) {
    return { state: 'unavailable', ...(error instanceof NotReadyError ? { reason: error.message } : {}) }
  }
}
