import { createRoute, z } from '@hono/zod-openapi'
import { selectNotifications } from '#schema/queries/notifications/selectNotifications.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { notificationSchema } from '#shared/notifications/notificationSchema.ts'
import { listTokens, toNotification } from '#shared/notifications/toNotification.ts'
import type { TokenBook, TokenReference } from '#shared/tokens/findTokenFacts.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import type { FindDatabase } from '../connectBackend.ts'
import { notificationsQuerySchema } from './notificationsQuery.ts'

export type GetNotificationsDeps = {
  findDatabase: FindDatabase
  findTokenFacts: (tokens: readonly TokenReference[]) => Promise<TokenBook>
}

const getNotificationsRoute = createRoute({
  ...endpoint('getNotifications'),
  tags: ['Notifications'],
  summary: "List the notifications about an account's orders",
  description:
    'On all networks of this deployment, newest first, without those that a chain reorganisation retracted, or a cancellation whose order was filled in flight. To get the next page, pass the id of the last notification as `before`.',
  request: {
    params: z.object({ account: addressSchema.openapi({ param: { name: 'account', in: 'path' } }) }),
    query: notificationsQuerySchema,
  },
  responses: {
    200: {
      description: 'the notifications; may be empty',
      content: { 'application/json': { schema: z.array(notificationSchema) } },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable']),
  },
})

/** `GET /accounts/{account}/notifications` */
export const getNotifications = (deps: GetNotificationsDeps) =>
  createApp(auxiliaryFormat).openapi(getNotificationsRoute, async (c) => {
    const { limit, before, type: types, network: chainIds } = c.req.valid('query')
    const rows = await selectNotifications(deps.findDatabase(), c.req.valid('param').account, {
      limit,
      before,
      types,
      chainIds,
    })
    const tokens = await deps.findTokenFacts(listTokens(rows))
    // while a node is unavailable some amounts are in atoms: do not cache the response
    c.header('Cache-Control', tokens.failure === undefined ? cachePolicies.notifications : cachePolicies.live)
    return c.json(
      rows.map((row) => toNotification(row, tokens.find)),
      200,
    )
  })
