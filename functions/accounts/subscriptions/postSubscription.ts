import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import { type NewSubscription, upsertSubscription } from '#schema/queries/notifications/upsertSubscription.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { Network } from '#shared/networks.ts'
import type { TargetRules } from '#shared/notifications/checkTarget.ts'
import { type NotificationType, notificationTypes } from '#shared/notifications/notificationTypes.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { authorizeSubscribe } from '../authorization/authorize.ts'
import { type AuthorizeDeps, refuseReplay } from '../authorization/checkSignature.ts'
import type { Offer } from './buildOffer.ts'
import { readSubscriptionTarget } from './readSubscriptionTarget.ts'
import type { SubscriptionConfirmation } from './requestConfirmation.ts'
import { accountParamsSchema } from './subscriptionParams.ts'
import { subscriptionRequestSchema } from './subscriptionRequest.ts'
import { subscriptionSchema, toSubscriptionResponse } from './subscriptionResponse.ts'

export type PostSubscriptionDeps = AuthorizeDeps & {
  offer: Offer
  targetRules: TargetRules
  servedNetworks: readonly Network[]
  /** runs the next step of a subscription's confirmation */
  requestConfirmation: (subscription: Subscription) => Promise<SubscriptionConfirmation>
}

/** Maximum subscriptions of one account. */
const maxSubscriptions = 20
const tokenBytes = 32
const secretBytes = 32
/** A Telegram start parameter has at most 64 characters. */
const codeBytes = 24

const createdSchema = subscriptionSchema
  .extend({
    secret: z.string().optional().openapi({
      description: 'new webhooks only: the key that signs its deliveries. It is not shown again',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
    link: z.url().optional().openapi({ description: 'link to connect a Telegram chat, valid for a day' }),
    reason: z.string().optional().openapi({ description: 'why the subscription is not confirmed, and what to do' }),
  })
  .openapi('SavedSubscription')

const buildResponse = (description: string) => ({
  description,
  content: { 'application/json': { schema: createdSchema } },
})

const postSubscriptionRoute = createRoute({
  ...endpoint('postSubscription'),
  tags: ['Subscriptions'],
  summary: 'Create or update a subscription',
  description:
    'The account signs a `Subscribe` message (`GET /notifications/channels` has its types and domain). There is one subscription per channel and target: posting it again updates types and networks, repeats an unsuccessful confirmation, and ends a pause. A webhook is confirmed by its response to a challenge, which is sent at once; an e-mail address by the link in a mail; a Telegram chat by the link in the response. Web push needs no confirmation.',
  request: {
    params: accountParamsSchema,
    body: {
      content: {
        'application/json': {
          schema: subscriptionRequestSchema,
          example: {
            channel: 'email',
            target: 'trader@example.com',
            types: ['order_filled'],
            networks: [exampleValues.signedMessage.chainId],
            ...exampleValues.signedMessage,
          },
        },
      },
      required: true,
    },
  },
  responses: {
    200: buildResponse('the subscription is updated'),
    201: buildResponse('the subscription is created'),
    ...messageResponses(
      ['Conflict', 'InvalidParameter', 'NotFound', 'ServiceUnavailable', 'Unauthorized', 'UnsupportedMediaType'],
      {
        Conflict: `the account has reached the limit of ${maxSubscriptions} subscriptions`,
        NotFound: 'the account has no subscription with this Telegram chat',
        Unauthorized: 'the message is not signed by the account, has expired, or was already used',
      },
    ),
  },
})

/** `POST /accounts/{account}/subscriptions` */
export const postSubscription = (deps: PostSubscriptionDeps) =>
  createApp(auxiliaryFormat).openapi(postSubscriptionRoute, async (c) => {
    const { account } = c.req.valid('param')
    const request = c.req.valid('json')
    const { channel, types, networks, nonce, deadline } = request
    checkOffered(deps.offer, channel)
    const { signed, target, pushKeys } = await readSubscriptionTarget(request, deps.targetRules)
    checkServed(deps.servedNetworks, networks)
    const chainIds = networks.map(({ chainId }) => chainId)
    const signer = await authorizeSubscribe(deps, account, request, {
      channel,
      target: signed,
      types,
      networks: chainIds,
    })
    const subscription: NewSubscription = {
      ...signer,
      channel,
      target,
      pushKeys,
      types: [...new Set(types.length > 0 ? types : notificationTypes)] as NotificationType[],
      networks: [...new Set(chainIds.length > 0 ? chainIds : deps.servedNetworks.map(({ chainId }) => chainId))],
      secret: channel === 'webhook' ? `whsec_${createSecret(secretBytes, 'base64')}` : null,
      confirmToken:
        channel === 'push' ? null : createSecret(channel === 'telegram' ? codeBytes : tokenBytes, 'base64url'),
      confirmedAt: channel === 'push' ? new Date(deps.now()) : null,
      unsubscribeToken: createSecret(tokenBytes, 'base64url'),
    }
    const saved = await upsertSubscription(
      deps.findDatabase(),
      { ...signer, nonce, deadline: new Date(deadline * 1_000) },
      subscription,
      maxSubscriptions,
    )
    if (saved.refusal) throw refuse(saved.refusal, nonce)
    const confirmation = saved.subscription.confirmedAt ? {} : await deps.requestConfirmation(saved.subscription)
    const body = {
      ...toSubscriptionResponse(saved.subscription),
      ...(saved.isNew && saved.subscription.secret ? { secret: saved.subscription.secret } : {}),
      ...confirmation,
    }
    return c.json(body, saved.isNew ? 201 : 200)
  })

const createSecret = (bytes: number, encoding: 'base64' | 'base64url'): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString(encoding)

const checkOffered = (offer: Offer, channel: Subscription['channel']): void => {
  if (offer.channels.includes(channel)) return
  const expected = `one of ${offer.channels.join(', ')}`
  throw new ApiError('InvalidParameter', {
    description: `channel: ${expected}`,
    data: { field: 'channel', expected, got: channel },
  })
}

const checkServed = (served: readonly Network[], networks: readonly Network[]): void => {
  const index = networks.findIndex((network) => !served.includes(network))
  if (index < 0) return
  const field = `networks.${index}`
  const expected = `one of ${served.map(({ chainId }) => chainId).join(', ')}`
  throw new ApiError('InvalidParameter', { description: `${field}: ${expected}`, data: { field, expected } })
}

const refuse = (refusal: 'replayed' | 'unknown' | 'full', nonce: Hex): ApiError => {
  if (refusal === 'replayed') return refuseReplay(nonce)
  if (refusal === 'unknown') return new ApiError('NotFound', { description: 'no such subscription' })
  return new ApiError('Conflict', {
    description: `an account can have at most ${maxSubscriptions} subscriptions; delete one`,
    data: { max: maxSubscriptions },
  })
}
