import { createRoute, z } from '@hono/zod-openapi'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { selectConditionalOrder } from '#schema/queries/strategies/conditionalOrderPages.ts'
import { toPriceText } from '#shared/amounts/toPriceText.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { findPartCount } from '#shared/strategies/describeConditional.ts'
import { addressSchema, amountTextSchema, hashInputSchema, orderUidSchema } from '#shared/validation/chainValues.ts'
import { conditionalOrderSchema, toConditionalResponse } from './conditionalResponse.ts'

const maxListed = 100

const partSchema = z
  .object({
    orderUid: orderUidSchema,
    sellToken: addressSchema,
    buyToken: addressSchema,
    placedBlock: z.number().int().openapi({ description: 'block at which it became tradeable' }),
    creationDate: z.iso.datetime().openapi({ description: 'time at which it entered the book' }),
    validTo: z.number().int().openapi({ description: 'last valid second, Unix' }),
    filled: z.boolean(),
    executedSellAmount: amountTextSchema,
    executedBuyAmount: amountTextSchema,
  })
  .openapi('ConditionalPart')

const progressSchema = z
  .object({
    parts: z.number().int().nullable().openapi({ description: 'number of parts of a TWAP, else null', example: 4 }),
    placed: z.number().int(),
    filled: z.number().int(),
    executedSellAmount: amountTextSchema,
    executedBuyAmount: amountTextSchema,
    averagePrice: z
      .string()
      .nullable()
      .openapi({
        description:
          'executedBuyAmount per executedSellAmount, buy token atoms per sell token atom, six significant digits; null without ' +
          'a trade, and when its parts trade several pairs',
        example: '2.01534',
      }),
    marketPrice: z
      .string()
      .nullable()
      .openapi({
        description:
          'the same by the native prices of the newest auction, without fees; null without both prices, without a part, and when its parts ' +
          'trade several pairs',
        example: '2.01612',
      }),
  })
  .openapi('ConditionalProgress', { description: 'sums over its newest 1000 parts' })

const responseSchema = conditionalOrderSchema
  .extend({
    progress: progressSchema,
    parts: z.array(partSchema).openapi({ description: `its newest parts, at most ${maxListed}` }),
  })
  .openapi('ConditionalOrderWithParts')

const getConditionalOrderRoute = createRoute({
  ...endpoint('getConditionalOrder'),
  tags: ['Conditional orders'],
  summary: 'Get a conditional order',
  description:
    'One conditional order with its parts, which are orders like all others, its progress and its next evaluation.',
  request: { params: z.object({ owner: addressSchema, hash: hashInputSchema }) },
  responses: {
    200: { description: 'the conditional order', content: { 'application/json': { schema: responseSchema } } },
    ...errorResponses('InvalidParameter', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/conditional_orders/{owner}/{hash}` */
export const getConditionalOrder = ({ database, chainId }: NetworkDatabase) =>
  createApp().openapi(getConditionalOrderRoute, async (c) => {
    const found = await selectConditionalOrder(database, chainId, c.req.valid('param'))
    if (!found) throw new ApiError('NotFound', { description: 'this owner has no such conditional order' })
    const { order, parts, prices } = found
    const sum = (field: 'executedSellAmount' | 'executedBuyAmount') =>
      parts.reduce((total, part) => total + part[field], 0n)
    const [sold, bought] = [sum('executedSellAmount'), sum('executedBuyAmount')]
    const pairs = new Set(parts.map(({ sellToken, buyToken }) => `${sellToken}${buyToken}`))
    const body = {
      ...toConditionalResponse(order),
      progress: {
        parts: findPartCount(order.handler, order.staticInput),
        placed: parts.length,
        filled: parts.filter(({ isFilled }) => isFilled).length,
        executedSellAmount: sold.toString(),
        executedBuyAmount: bought.toString(),
        marketPrice:
          prices?.sell && prices.buy && pairs.size === 1 ? toPriceText(Number(prices.sell) / Number(prices.buy)) : null,
        averagePrice: sold > 0n && pairs.size === 1 ? toPriceText(Number(bought) / Number(sold)) : null,
      },
      parts: parts.slice(0, maxListed).map(({ uid, createdAt, isFilled, ...part }) => ({
        ...part,
        orderUid: uid,
        creationDate: createdAt.toISOString(),
        filled: isFilled,
        executedSellAmount: part.executedSellAmount.toString(),
        executedBuyAmount: part.executedBuyAmount.toString(),
      })),
    }
    return c.json(body, 200, { 'Cache-Control': cachePolicies.live })
  })
