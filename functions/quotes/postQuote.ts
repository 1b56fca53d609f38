import { createRoute } from '@hono/zod-openapi'
import type { Address, Hex } from 'viem'
import type { NewQuote } from '#schema/queries/quotes.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { buildNewQuote } from './buildNewQuote.ts'
import { checkQuoteRequest } from './checkQuoteRequest.ts'
import { type FindBestQuoteDeps, findBestQuote } from './findBestQuote.ts'
import { quoteRequestSchema } from './quoteRequest.ts'
import { resolveAppData } from './resolveAppData.ts'
import { quoteResponseSchema, toQuoteResponse } from './toQuoteResponse.ts'

export type PostQuoteDeps = FindBestQuoteDeps & {
  bannedUsers: ReadonlySet<Address>
  /** the stored app data document of a hash */
  findDocument: (hash: Hex) => Promise<string | undefined>
  /** keeps a quote that an order may refer to; resolves to its id */
  insertQuote: (quote: NewQuote) => Promise<number>
}

const postQuoteRoute = createRoute({
  method: 'post',
  path: '/api/v1/quote',
  request: { body: { content: { 'application/json': { schema: quoteRequestSchema } }, required: true } },
  responses: {
    200: {
      description: 'the best offer of all solvers',
      content: { 'application/json': { schema: quoteResponseSchema } },
    },
    ...errorResponses(
      'InvalidParameter',
      'AppDataHashMismatch',
      'InvalidAppData',
      'Forbidden',
      'UnsupportedBuyTokenDestination',
      'UnsupportedSellTokenSource',
      'InsufficientValidTo',
      'ExcessiveValidTo',
      'SameBuyAndSellToken',
      'InvalidNativeSellToken',
      'NoLiquidity',
      'SellAmountDoesNotCoverFee',
      'SellAmountOverflow',
      'PayloadTooLarge',
      'UnsupportedMediaType',
      'ServiceUnavailable',
    ),
  },
})

/** A `fast` quote is an indication: no order may refer to it. */
const notStored = { id: null, expiration: new Date(0) }

/** `POST /{network}/api/v1/quote`: price and fee for an order that nobody has signed yet. */
export const postQuote = (deps: PostQuoteDeps) =>
  createApp().openapi(postQuoteRoute, async (c) => {
    const request = c.req.valid('json')
    const { validTo } = checkQuoteRequest(request, { ...deps, now: deps.now() })
    const appData = await resolveAppData(request, deps.findDocument)
    const quote = await findBestQuote(deps, request)
    const stored =
      request.priceQuality === 'fast' ? notStored : await storeQuote(deps, buildNewQuote(deps, request, quote))
    return c.json(toQuoteResponse(request, quote, { ...appData, ...stored, validTo }), 200)
  })

const storeQuote = async ({ insertQuote }: PostQuoteDeps, quote: NewQuote) => ({
  id: await insertQuote(quote),
  expiration: quote.expiresAt,
})
