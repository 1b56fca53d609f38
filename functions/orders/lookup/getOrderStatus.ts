import { createRoute, z } from '@hono/zod-openapi'
import { type OrderProgress, selectOrderProgress } from '#schema/queries/events/orderEvents.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { computeBodyEtag } from '#shared/http/computeBodyEtag.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { matchesEtag } from '#shared/http/matchesEtag.ts'
import { computeOrderStatus } from '#shared/orders/computeOrderStatus.ts'
import { describeFailedSettlements } from '#shared/orders/describeFailedSettlements.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { addressSchema, amountTextSchema, orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { computeProgressType, progressTypes } from './computeProgressType.ts'
import { isLive } from './isLive.ts'
import type { OrderReading } from './orderReading.ts'

const competitionSchema = z.array(
  z.object({
    solver: addressSchema,
    executedAmounts: z
      .object({ sell: amountTextSchema, buy: amountTextSchema })
      .nullable()
      .openapi({ description: 'null: the solution does not include the order' }),
  }),
)

const statusSchema = z
  .object({
    type: z.enum(progressTypes),
    value: competitionSchema.optional().openapi({
      description: 'present with solved, executing and traded: the solutions of its competition, worst first',
    }),
    message: z.string().optional().openapi({
      description:
        'present with open, while the order waits after a failed settlement: number of failures and block of the next attempt; its wording may change',
      example: 'Settlement reverted twice; next attempt at block 123.',
    }),
  })
  .openapi('OrderProgress')

const getOrderStatusRoute = createRoute({
  ...endpoint('getOrderStatus'),
  tags: ['Orders'],
  summary: 'Follow an order through the auctions',
  description: 'Progress of the order, and the proposals of the solvers in its newest competition.',
  request: { params: z.object({ uid: orderUidInputSchema }) },
  responses: {
    200: { description: 'the progress', content: { 'application/json': { schema: statusSchema } } },
    304: { description: 'not modified since the ETag of `If-None-Match`' },
    ...errorResponses('InvalidParameter', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/orders/{uid}/status`: progress of an order from its creation to its trade. */
export const getOrderStatus = ({ database, chainId, now }: OrderReading) =>
  createApp().openapi(getOrderStatusRoute, async (c) => {
    const { uid } = c.req.valid('param')
    const progress = await selectOrderProgress(database, chainId, uid)
    if (!progress?.newestEvent) throw new ApiError('NotFound', { description: 'order status not found', data: { uid } })
    const seconds = toUnixSeconds(now())
    const body = toStatusResponse(progress, progress.newestEvent, seconds)
    const etag = computeBodyEtag(body)
    const live = isLive(progress.order, seconds)
    c.header('ETag', etag)
    c.header('Cache-Control', live ? cachePolicies.live : cachePolicies.terminal)
    if (matchesEtag(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    return c.json(body, 200)
  })

const typesWithCompetition = new Set(['solved', 'executing', 'traded'])

const toStatusResponse = (
  { traded, solutions, exclusion, order }: OrderProgress,
  newestEvent: NonNullable<OrderProgress['newestEvent']>,
  now: number,
): z.output<typeof statusSchema> => {
  const type = computeProgressType(newestEvent, traded, computeOrderStatus(order, now))
  const message =
    type === 'open' && exclusion?.reason === 'settlement_failed' ? describeFailedSettlements(exclusion.data) : undefined
  if (!typesWithCompetition.has(type)) return message === undefined ? { type } : { type, message }
  const value = solutions.map(({ solver, executed }) => ({
    solver,
    executedAmounts: executed && { sell: executed.sell.toString(), buy: executed.buy.toString() },
  }))
  return { type, value }
}
