import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { Network } from '#shared/networks.ts'
import { notificationTypes } from '#shared/notifications/notificationTypes.ts'
import { domainVersion, maxSecondsAhead, messageTypes, toDomainName } from '../authorization/typedData.ts'
import type { Offer } from './buildOffer.ts'
import { channels } from './subscriptionResponse.ts'

export type GetChannelsDeps = {
  serviceName: string
  servedNetworks: readonly Network[]
  /** rejects with an ApiError when notifications are off */
  findOffer: () => Promise<Offer>
}

const fieldsSchema = z.array(z.object({ name: z.string(), type: z.string() }))

const channelsSchema = z
  .object({
    channels: z.array(z.enum(channels)).openapi({ description: 'delivery channels of this deployment' }),
    types: z.array(z.enum(notificationTypes as [string, ...string[]])),
    networks: z.array(z.object({ chainId: z.number().int(), name: z.string() })),
    vapidPublicKey: z.string().nullable().openapi({
      description: '`applicationServerKey` of `pushManager.subscribe`, base64url; null: web push is disabled',
    }),
    telegramBot: z.string().nullable().openapi({ description: 'name of the bot; null: Telegram is disabled' }),
    typedData: z.object({
      domain: z.object({ name: z.string(), version: z.string() }).openapi({
        description: 'add `chainId`: one of `networks`, where contract signatures are verified',
      }),
      types: z.object({ Subscribe: fieldsSchema, ManageSubscriptions: fieldsSchema }),
      maxSecondsAhead: z.object({ write: z.number().int(), list: z.number().int() }).openapi({
        description: 'maximum time from now to the deadline of a message',
      }),
    }),
  })
  .openapi('NotificationChannels')

const getChannelsRoute = createRoute({
  ...endpoint('getChannels'),
  tags: ['Subscriptions'],
  summary: 'Available channels, and the typed data to sign',
  description:
    'The delivery channels of this deployment, and everything that a client needs to build and sign subscription messages.',
  responses: {
    200: { description: 'the channels', content: { 'application/json': { schema: channelsSchema } } },
    ...messageResponses(['ServiceUnavailable']),
  },
})

/** `GET /notifications/channels` */
export const getChannels = (deps: GetChannelsDeps) =>
  createApp(auxiliaryFormat).openapi(getChannelsRoute, async (c) => {
    const { Subscribe, ManageSubscriptions } = messageTypes
    return c.json(
      {
        ...(await deps.findOffer()),
        types: notificationTypes,
        networks: deps.servedNetworks.map(({ chainId, name }) => ({ chainId, name })),
        typedData: {
          domain: { name: toDomainName(deps.serviceName), version: domainVersion },
          types: { Subscribe: [...Subscribe], ManageSubscriptions: [...ManageSubscriptions] },
          maxSecondsAhead,
        },
      },
      200,
    )
  })
