import { createRoute } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import type { FindPauses } from '#shared/pauses/pauses.ts'
import type { Admit } from './createAdmission.ts'
import { type FindBestQuoteDeps, findBestQuote } from './findBestQuote.ts'
import { findOpenSolvers } from './findOpenSolvers.ts'
import { quoteErrors, quoteRequest } from './quoteRoute.ts'
import { computeTimeout } from './request/computeTimeLeft.ts'
import { type PrepareRequestDeps, prepareRequest } from './request/prepareRequest.ts'
import { createFundingFinder } from './response/createFundingFinder.ts'
import { type StoreQuoteDeps, storeQuote } from './response/storeQuote.ts'
import { notStored, quoteResponseSchema, toQuoteResponse } from './response/toQuoteResponse.ts'

export type QuoteDeps = PrepareRequestDeps &
  FindBestQuoteDeps &
  StoreQuoteDeps & { admit: Admit; findPauses: FindPauses }

const postQuoteRoute = createRoute({
  ...endpoint('postQuote'),
  tags: ['Quotes'],
  summary: 'Quote an unsigned order',
  description:
    'Requests offers from all solvers, verifies them by simulation, stores the best one under an id until it expires, and returns the order to sign.',
  request: quoteRequest,
  responses: {
    200: {
      description: 'the best offer of all solvers',
      content: { 'application/json': { schema: quoteResponseSchema } },
    },
    ...quoteErrors,
  },
})

/** `POST /{network}/api/v1/quote`: price and fee for an unsigned order. */
export const postQuote = (deps: QuoteDeps) =>
  createApp().openapi(postQuoteRoute, async (c) => {
    const request = c.req.valid('json')
    const prepared = await prepareRequest(deps, request)
    const solvers = await findOpenSolvers(deps, request)
    const [quote, findFunding] = await deps.admit(c, computeTimeout(deps, request), async (startRace) => {
      const finder = createFundingFinder(deps, prepared)
      return [await findBestQuote({ ...deps, solvers, startRace }, prepared), finder] as const
    })
    const stored = request.priceQuality === 'fast' ? notStored : await storeQuote(deps, prepared, quote)
    const response = toQuoteResponse(deps.network, prepared, quote, stored)
    return c.json({ ...response, funding: await findFunding(response.signable) }, 200)
  })
