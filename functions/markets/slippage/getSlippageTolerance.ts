import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { computeSlippage } from '#shared/slippage/computeSlippage.ts'
import { computeSuggestedSlippage, defaultRoom, type SlippageRoom } from '#shared/slippage/computeSuggestedSlippage.ts'
import { findSlippageRoom, type SlippageRoomDeps } from '#shared/slippage/findSlippageRoom.ts'
import { amountSchema, amountTextSchema } from '#shared/validation/chainValues.ts'
import { findSlippageMarket, type MarketDeps } from './findSlippageMarket.ts'
import { findTradeSize, type TradeSize, type TradeSizeDeps } from './findTradeSize.ts'
import { marketParamsSchema } from './marketPair.ts'

const positive = () =>
  amountSchema()
    .refine((amount) => amount > 0n, 'greater than zero')
    .openapi({ type: 'string', pattern: '^\\d+$' })

const querySchema = z.object({
  sellAmount: positive()
    .optional()
    .openapi({ description: 'amount that leaves the owner, network fee included: atoms of the first token' }),
  buyAmount: positive().optional().openapi({
    description: 'used without sellAmount: atoms of the second token, converted at the price of the newest quote',
  }),
  feeAmount: amountSchema().optional().openapi({
    type: 'string',
    pattern: '^\\d+$',
    description:
      'network fee of a quote, atoms of the first token; without it the service estimates one from the newest quote of the pair, or from the last auction price of the token',
  }),
})

const bpsSchema = z.number().int().min(0).max(10_000)
const slippageSchema = z
  .object({
    slippageBps: bpsSchema.openapi({
      description:
        'basis points of the price: without an amount the five-minute volatility, with one priceBps + feeBps, at most 5000',
    }),
    basis: z.enum(['pair', 'tokens', 'unknown']).openapi({
      description:
        'source of the volatility: the price of one token in the other; the more volatile of the two; or none, when the data for one token is insufficient and the default applies',
    }),
    priceBps: bpsSchema.optional().openapi({
      description: 'with an amount: allowance for price changes, two five-minute deviations rounded up',
    }),
    feeBps: z.number().int().min(0).nullable().optional().openapi({
      description:
        'with an amount: allowance for network fee changes as a share of the trade, rounded up; null: the fee is unknown and slippageBps does not cover it',
    }),
    feeAmount: amountTextSchema.nullable().optional().openapi({
      description: 'with an amount: the network fee behind feeBps, atoms of the first token; null: unknown',
    }),
  })
  .openapi('SlippageTolerance')

const getSlippageToleranceRoute = createRoute({
  ...endpoint('getSlippageTolerance'),
  tags: ['Markets'],
  summary: 'Suggested slippage of a market order',
  description:
    'Without an amount: the five-minute volatility of the pair over the last day, within the bounds of this service. With an amount: the slippage that an order of that size needs to fill. It is the sum of a price allowance, two such deviations (0.5 % without a history), and an allowance for the network fee: a fifth of the fee plus the largest rise of the gas price within ten of the last hundred blocks (50 % without a history). A quote with `slippageBps: "auto"` computes the same with its own fee.',
  request: { params: marketParamsSchema, query: querySchema },
  responses: {
    200: { description: 'the slippage', content: { 'application/json': { schema: slippageSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable']),
  },
})

export type SlippageToleranceDeps = MarketDeps & SlippageRoomDeps & TradeSizeDeps

/** `GET /{chainId}/markets/{base}-{quote}/slippageTolerance` */
export const getSlippageTolerance = (deps: SlippageToleranceDeps) =>
  createApp(auxiliaryFormat).openapi(getSlippageToleranceRoute, async (c) => {
    const { chainId: network, pair } = c.req.valid('param')
    const given = c.req.valid('query')
    c.header('Cache-Control', cachePolicies.market)
    if (given.sellAmount === undefined && given.buyAmount === undefined) {
      const { base, quote } = await findSlippageMarket(deps, network, pair)
      return c.json(computeSlippage(base, quote, deps.bounds), 200)
    }
    deps.checkServed(network)
    const [room, size] = await Promise.all([
      findSlippageRoom(deps, network, pair),
      findTradeSize(deps, network, pair, given),
    ])
    return c.json(toSizedResponse(room, size), 200)
  })

const toSizedResponse = ({ basis, ...room }: SlippageRoom, { traded, fee }: TradeSize) => {
  const { priceBps } = room
  const isKnown = traded !== undefined && fee !== undefined
  const slippageBps = isKnown ? computeSuggestedSlippage(traded, fee, room) : Math.max(priceBps, defaultRoom.priceBps)
  return {
    slippageBps,
    basis,
    priceBps,
    feeBps: isKnown ? slippageBps - priceBps : null,
    feeAmount: fee === undefined ? null : fee.toString(),
  }
}
