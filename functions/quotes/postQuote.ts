import { createRoute } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import type { Share } from '#shared/createSharing.ts'
import type { FundingFacts } from '#shared/funding/computeFunding.ts'
import { createApp } from '#shared/http/createApp.ts'
import type { FindPauses } from '#shared/pauses/pauses.ts'
import type { Quote } from './amounts/buildQuote.ts'
import type { Admit } from './createAdmission.ts'
import { type FindBestQuoteDeps, findBestQuote } from './findBestQuote.ts'
import { findOpenSolvers } from './findOpenSolvers.ts'
import { quoteErrors, quoteRequest } from './quoteRoute.ts'
import { computeTimeLeft, computeTimeout } from './request/computeTimeLeft.ts'
import { type PreparedRequest, type PrepareRequestDeps, prepareRequest } from './request/prepareRequest.ts'
import { createFundingFinder } from './response/createFundingFinder.ts'
import { type StoreQuoteDeps, storeQuote } from './response/storeQuote.ts'
import { toFunding } from './response/toFunding.ts'
import { notStored, quoteResponseSchema, toQuoteResponse } from './response/toQuoteResponse.ts'

export type QuoteDeps = PrepareRequestDeps &
  FindBestQuoteDeps &
  StoreQuoteDeps & { admit: Admit; share: Share<Found>; findPauses: FindPauses }

/** A quote, and the owner's funds for the order to sign. */
type Found = { quote: Quote; funds: FundingFacts | undefined }

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
    const prepared = await prepareRequest(deps, c.req.valid('json'))
    const { request } = prepared
    const solvers = await findOpenSolvers(deps, request)
    const timeoutMs = computeTimeout(deps, request)
    // each request takes its own turn: one that waits behind others of its client makes no other client wait
    const { quote, funds } = await deps.admit(c, timeoutMs, (startRace) =>
      deps.share(toKey(prepared), computeTimeLeft(deps, prepared), async () => {
        const findFunding = createFundingFinder(deps, prepared)
        const found = await findBestQuote({ ...deps, solvers, startRace }, prepared)
        return { quote: found, funds: await findFunding(found.ladder.afterSlippage.sellAmount) }
      }),
    )
    const stored = request.priceQuality === 'fast' ? notStored : await storeQuote(deps, prepared, quote)
    const response = toQuoteResponse(deps.network, prepared, quote, stored)
    return c.json({ ...response, funding: toFunding(deps.network, request, response.signable, funds) }, 200)
  })

/** Requests with equal fields and the same document have the same quote at the same time. */
const toKey = ({ request, appData }: PreparedRequest): string =>
  JSON.stringify([request, appData.fullAppData], (_, value) => (typeof value === 'bigint' ? value.toString() : value))
