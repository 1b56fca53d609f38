import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { computeVolatility } from '#shared/slippage/computeVolatility.ts'
import type { PriceHistory } from '#shared/slippage/findPriceHistory.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { findSlippageMarket, type MarketDeps } from './findSlippageMarket.ts'
import { marketParamsSchema } from './marketPair.ts'

const tokenSchema = z
  .object({
    tokenAddress: addressSchema.openapi({ description: 'the wrapped token in place of the native one' }),
    prices: z.array(
      z.object({
        date: z.iso.datetime(),
        price: z.number().openapi({ description: 'US dollars for one whole token' }),
        volume: z.number().nullable().openapi({ description: 'null: not recorded' }),
      }),
    ),
    usdPrice: z.number().openapi({ description: 'US dollars for one whole token now' }),
    volatilityInUsd: z.number().openapi({ description: 'five-minute volatility, US dollars' }),
    volatilityInTokens: z.number().openapi({ description: 'the same as a share of the price' }),
  })
  .openapi('TokenVolatility')

const detailsSchema = z
  .object({ baseToken: z.union([tokenSchema, z.null()]), quoteToken: z.union([tokenSchema, z.null()]) })
  .openapi('VolatilityDetails')

const getVolatilityDetailsRoute = createRoute({
  ...endpoint('getVolatilityDetails'),
  tags: ['Markets'],
  summary: 'Volatility behind a suggested slippage',
  request: { params: marketParamsSchema },
  responses: {
    200: {
      description: 'volatility of each token; null: insufficient data',
      content: { 'application/json': { schema: detailsSchema } },
    },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable']),
  },
})

/** `GET /{chainId}/markets/{base}-{quote}/volatilityDetails` */
export const getVolatilityDetails = (deps: MarketDeps) =>
  createApp(auxiliaryFormat).openapi(getVolatilityDetailsRoute, async (c) => {
    const { chainId: network, pair } = c.req.valid('param')
    const { base, quote } = await findSlippageMarket(deps, network, pair)
    c.header('Cache-Control', cachePolicies.market)
    return c.json({ baseToken: toDetails(base), quoteToken: toDetails(quote) }, 200)
  })

const toDetails = ({ token, series, price }: PriceHistory['base']) => {
  const volatility = computeVolatility(series)
  if (volatility === undefined || price === undefined) return null
  return {
    tokenAddress: token,
    prices: series.map((point) => ({
      date: new Date(point.time * 1_000).toISOString(),
      price: point.price,
      volume: null,
    })),
    usdPrice: price,
    volatilityInUsd: volatility,
    volatilityInTokens: volatility / price,
  }
}
