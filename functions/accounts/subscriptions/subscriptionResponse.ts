import { z } from '@hono/zod-openapi'
import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import { notificationTypes } from '#shared/notifications/notificationTypes.ts'

export const channels = ['webhook', 'email', 'telegram', 'push'] as const satisfies Subscription['channel'][]

const timeSchema = z.iso.datetime().nullable()

/** A subscription without its secrets. */
export const subscriptionSchema = z
  .object({
    id: z.uuid(),
    channel: z.enum(channels),
    target: z.string().nullable().openapi({
      description: 'URL, e-mail address, id of a Telegram chat, or push endpoint; null: no chat is linked yet',
    }),
    types: z.array(z.enum(notificationTypes as [string, ...string[]])),
    networks: z.array(z.number().int()).openapi({ description: 'chain ids' }),
    createdAt: z.iso.datetime(),
    confirmed: z.boolean().openapi({ description: 'deliveries start after the confirmation' }),
    health: z.object({
      failures: z.number().int().openapi({ description: 'consecutive failed deliveries' }),
      failingSince: timeSchema,
      lastDeliveredAt: timeSchema,
      pausedAt: timeSchema.openapi({
        description:
          'start of a pause without deliveries, which ends when the subscription is replayed or posted again',
      }),
      pauseReason: z.string().nullable(),
    }),
  })
  .openapi('Subscription')

export const toSubscriptionResponse = (subscription: Subscription): z.output<typeof subscriptionSchema> => ({
  id: subscription.id,
  channel: subscription.channel,
  target: subscription.target,
  types: subscription.types,
  networks: subscription.networks,
  createdAt: subscription.createdAt.toISOString(),
  confirmed: subscription.confirmedAt !== null,
  health: {
    failures: subscription.failures,
    failingSince: toTime(subscription.failingSince),
    lastDeliveredAt: toTime(subscription.lastDeliveredAt),
    pausedAt: toTime(subscription.pausedAt),
    pauseReason: subscription.pauseReason,
  },
})

const toTime = (time: Date | null): string | null => time?.toISOString() ?? null
