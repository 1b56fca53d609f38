import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import type { selectNotifications } from '#schema/queries/notifications.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { notificationSchema } from '#shared/notifications/notificationSchema.ts'
import { listTokens, type NotificationRow, toNotification } from '#shared/notifications/toNotification.ts'
import type { TokenBook, TokenReference } from '#shared/tokens/findTokenFacts.ts'
import { addressSchema } from '#shared/validation/address.ts'
import { notificationsQuerySchema } from './notificationsQuery.ts'

type Filter = Parameters<typeof selectNotifications>[2]

export type GetNotificationsDeps = {
  /** newest first; rejects with an ApiError */
  selectNotifications: (account: Address, filter: Filter) => Promise<NotificationRow[]>
  findTokenFacts: (tokens: readonly TokenReference[]) => Promise<TokenBook>
}

const getNotificationsRoute = createRoute({
  method: 'get',
  path: '/accounts/{account}/notifications',
  tags: ['Notifications'],
  summary: 'What an account was told of its orders',
  description:
    'On all networks of this deployment, newest first, without what a reorganisation of the chain undid. The id of the last one is `before` of the next page.',
  request: {
    params: z.object({ account: addressSchema.openapi({ param: { name: 'account', in: 'path' } }) }),
    query: notificationsQuerySchema,
  },
  responses: {
    200: {
      description: 'the notifications; empty when there are none',
      content: { 'application/json': { schema: z.array(notificationSchema) } },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable']),
  },
})

/** `GET /accounts/{account}/notifications` */
export const getNotifications = (deps: GetNotificationsDeps) =>
  createApp(auxiliaryFormat).openapi(getNotificationsRoute, async (c) => {
    const { limit, before, type: types, network: chainIds } = c.req.valid('query')
    const rows = await deps.selectNotifications(c.req.valid('param').account, { limit, before, types, chainIds })
    const tokens = await deps.findTokenFacts(listTokens(rows))
    // While a node is away some amounts are in atoms: nobody keeps that.
    c.header('Cache-Control', tokens.failure === undefined ? cachePolicies.notifications : cachePolicies.live)
    return c.json(
      rows.map((row) => toNotification(row, tokens.find)),
      200,
    )
  })
