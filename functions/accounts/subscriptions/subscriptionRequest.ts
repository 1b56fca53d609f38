import { z } from '@hono/zod-openapi'
import { findNetwork, type Network } from '#shared/networks.ts'
import { notificationTypes } from '#shared/notifications/notificationTypes.ts'
import { deadlineSchema, nonceSchema, signatureSchema, signedChainSchema } from '../authorization/signedPart.ts'

/** Characters of a URL, an e-mail address, or a push endpoint. */
const maxTargetLength = 2_048
const maxKeyLength = 100
/** More than the existing values. Duplicates are allowed, because the lists are signed as sent. */
const maxListLength = 32

const networkSchema = z
  .union([z.number(), z.string()], { error: 'a chain id, or the name of a network' })
  .openapi({ example: 1 })
  .transform((segment, context): Network => {
    const network = findNetwork(String(segment))
    if (network) return network
    context.addIssue({ code: 'custom', message: 'a chain id, or the name of a network' })
    return z.NEVER
  })

const pushTargetSchema = z
  .object(
    {
      endpoint: z
        .string({ error: 'a URL' })
        .min(1, 'a URL')
        .max(maxTargetLength, `at most ${maxTargetLength} characters`),
      keys: z.object({
        p256dh: z.string({ error: 'base64url' }).max(maxKeyLength, 'an uncompressed point on P-256 as base64url'),
        auth: z.string({ error: 'base64url' }).max(maxKeyLength, '16 bytes as base64url'),
      }),
    },
    { error: 'the result of PushSubscription.toJSON()' },
  )
  .openapi({ description: 'the result of PushSubscription.toJSON(); the signed target is the endpoint' })

const common = {
  types: z
    .array(z.enum(notificationTypes as [string, ...string[]], { error: `one of ${notificationTypes.join(', ')}` }))
    .max(maxListLength, `at most ${maxListLength}`)
    .default([])
    .openapi({ description: 'signed as sent; empty: all types' }),
  networks: z
    .array(networkSchema)
    .max(maxListLength, `at most ${maxListLength}`)
    .default([])
    .openapi({ description: 'chain ids or names; signed as chain ids, in this order; empty: all served networks' }),
  chainId: signedChainSchema,
  nonce: nonceSchema,
  deadline: deadlineSchema,
  signature: signatureSchema,
}

const textTarget = (description: string, example: string) =>
  z
    .string({ error: description })
    .min(1, description)
    .max(maxTargetLength, `at most ${maxTargetLength} characters`)
    .openapi({ description, example })

/** A `Subscribe` message with its signature. */
export const subscriptionRequestSchema = z
  .discriminatedUnion(
    'channel',
    [
      z.object({
        channel: z.literal('webhook'),
        target: textTarget('an https URL of a public host', 'https://example.com/hooks/orders'),
        ...common,
      }),
      z.object({
        channel: z.literal('email'),
        target: textTarget('an e-mail address', 'trader@example.com'),
        ...common,
      }),
      z.object({
        channel: z.literal('telegram'),
        target: z
          .string()
          .regex(/^(-?\d{1,20})?$/, 'empty, or the id of a linked chat')
          .default('')
          .openapi({ description: 'empty for a new chat; the id of a linked chat to update its subscription' }),
        ...common,
      }),
      z.object({ channel: z.literal('push'), target: pushTargetSchema, ...common }),
    ],
    { error: ({ code }) => (code === 'invalid_union' ? 'one of webhook, email, telegram, push' : undefined) },
  )
  .openapi('SubscriptionRequest')

export type SubscriptionRequest = z.output<typeof subscriptionRequestSchema>
