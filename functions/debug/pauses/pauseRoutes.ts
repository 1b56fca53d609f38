import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { deletePause, selectPauses, upsertPause } from '#schema/queries/pauses/pauses.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { pauseSchema } from '#shared/pauses/pauseSchema.ts'
import type { PauseSubject } from '#shared/pauses/pauses.ts'
import type { SolverEntry } from '#shared/solvers/solverList.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { checkOperator } from '../checkOperator.ts'

export type PauseDeps = NetworkDatabase & {
  /** bearer token of the routes; without one nothing can be paused */
  token: string | undefined
  /** configured solvers, which a subject may name */
  solvers: readonly Pick<SolverEntry, 'name' | 'address'>[]
}

const subjectSchema = z.string().max(80).openapi({
  description: '`network`, `orders`, `quotes`, `solver:` and a name or an address, `token:` and an address',
  example: 'token:0xfff9976782d46cc05630d1f6ebab18b2324d6b14',
})

const bodySchema = z
  .object({
    reason: z.string().min(1).max(200).openapi({ description: 'published with the pause' }),
  })
  .openapi('PauseRequest')

const common = { tags: ['Debug'] }
const params = z.object({ subject: subjectSchema })
const authorized = ['InvalidParameter', 'Unauthorized', 'RateLimited', 'InternalServerError'] as const
const list = {
  200: {
    description: 'the current pauses, oldest first',
    content: { 'application/json': { schema: z.array(pauseSchema) } },
  },
}

const getRoute = createRoute({
  ...endpoint('getPauses'),
  ...common,
  summary: 'What is paused',
  description: 'Requires `DEBUG_TOKEN` as a bearer token. `/{network}/status.json` lists the same in public.',
  responses: { ...list, ...errorResponses(...authorized, 'ServiceUnavailable') },
})

const putRoute = createRoute({
  ...endpoint('putPause'),
  ...common,
  summary: 'Pause orders, quotes, a solver, a token or the network',
  description:
    'Requires `DEBUG_TOKEN` as a bearer token. Effective within ten seconds, without a deployment. Cancellations, reads and ' +
    'settlements on their way continue. Repeating it changes the reason.',
  request: {
    params,
    body: {
      required: true,
      content: { 'application/json': { schema: bodySchema, example: { reason: 'exploit reported' } } },
    },
  },
  responses: {
    ...list,
    ...errorResponses(...authorized, 'PayloadTooLarge', 'UnsupportedMediaType', 'ServiceUnavailable'),
  },
})

const deleteRoute = createRoute({
  ...endpoint('deletePause'),
  ...common,
  summary: 'Lift a pause',
  description: 'Requires `DEBUG_TOKEN` as a bearer token. Effective within ten seconds.',
  request: { params },
  responses: { ...list, ...errorResponses(...authorized, 'NotFound', 'ServiceUnavailable') },
})

/** `GET /{network}/restricted/api/v1/pauses`, `PUT` and `DELETE …/{subject}`: switches that need no deployment. */
export const pauseRoutes = (deps: PauseDeps) => {
  const { database, chainId } = deps
  const respond = async (c: Context) => {
    const stored = await selectPauses(database, chainId)
    const pauses = stored.map(({ since, ...pause }) => ({ ...pause, since: since.toISOString() }))
    return c.json(pauses, 200, { 'Cache-Control': cachePolicies.noStore })
  }
  return createApp()
    .openapi(getRoute, async (c) => {
      checkOperator(deps.token, c)
      return respond(c)
    })
    .openapi(putRoute, async (c) => {
      checkOperator(deps.token, c)
      const subject = readSubject(deps, c.req.valid('param').subject)
      const { reason } = c.req.valid('json')
      await upsertPause(database, chainId, { subject, reason })
      logEntry({ message: 'paused', chainId, subject, reason })
      return respond(c)
    })
    .openapi(deleteRoute, async (c) => {
      checkOperator(deps.token, c)
      const subject = readSubject(deps, c.req.valid('param').subject)
      if (!(await deletePause(database, chainId, subject)))
        throw new ApiError('NotFound', { description: 'not paused', data: { subject } })
      logEntry({ message: 'pause lifted', chainId, subject })
      return respond(c)
    })
}

/** @throws ApiError `InvalidParameter` */
const readSubject = ({ solvers }: PauseDeps, text: string): PauseSubject => {
  if (text === 'network' || text === 'orders' || text === 'quotes') return text
  const separator = text.indexOf(':')
  const [kind, value] = [text.slice(0, separator), text.slice(separator + 1)]
  const named = kind === 'solver' ? solvers.find(({ name }) => name === value)?.address : undefined
  const address = named ?? addressSchema.safeParse(value).data
  if ((kind === 'solver' || kind === 'token') && address) return `${kind}:${address}`
  throw new ApiError('InvalidParameter', {
    description: 'subject must be network, orders, quotes, solver:<name or address> or token:<address>',
    data: { field: 'subject', got: text },
  })
}
