import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { findOpenSolvers } from './findOpenSolvers.ts'
import type { QuoteDeps } from './postQuote.ts'
import { quoteErrors, quoteRequest } from './quoteRoute.ts'
import { computeTimeout } from './request/computeTimeLeft.ts'
import { prepareRequest } from './request/prepareRequest.ts'
import { toEventStream } from './response/toEventStream.ts'
import { streamQuotes } from './streamQuotes.ts'

const postQuoteStreamRoute = createRoute({
  ...endpoint('postQuoteStream'),
  tags: ['Quotes'],
  summary: 'Quote an unsigned order as a stream of improving offers',
  description: 'Same request as POST quote. `priceQuality` is ignored: all solvers are requested, until the timeout.',
  request: quoteRequest,
  responses: {
    200: {
      description:
        'server-sent events: each message is a QuoteResponse, better than the previous one and stored under its own id; without any offer, one `error` event with an Error',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...quoteErrors,
  },
})

/** `POST /{network}/api/v1/quote/stream`: offers as they arrive, each better than the previous one. */
export const postQuoteStream = (deps: QuoteDeps) =>
  createApp().openapi(postQuoteStreamRoute, async (c) => {
    const request = c.req.valid('json')
    const prepared = await prepareRequest(deps, request)
    const solvers = await findOpenSolvers(deps, request)
    const gone = new AbortController()
    const producer = Promise.withResolvers<Awaited<ReturnType<typeof streamQuotes>>>()
    // a stream occupies its slot until its last event
    const admitted = deps.admit(c, computeTimeout(deps, request), async (startRace) => {
      const produce = await streamQuotes({ ...deps, solvers, startRace }, prepared, gone.signal)
      const ended = Promise.withResolvers<void>()
      producer.resolve((send) => produce(send).finally(ended.resolve))
      await ended.promise
    })
    admitted.catch(producer.reject)
    const produce = await producer.promise
    return c.body(
      toEventStream(produce, () => gone.abort()),
      200,
      { 'Content-Type': 'text/event-stream' },
    )
  })
