import { z } from 'zod'
import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'
import type { Message } from './channels/channel.ts'
import type { Channels } from './channels/connectChannels.ts'
import type { TargetSettings } from './channels/openTarget.ts'
import { postWebhook } from './channels/sendWebhook.ts'
import { toOutcome } from './channels/toOutcome.ts'
import type { ChallengeOutcome } from './postChallenge.ts'
import { toTarget } from './toTarget.ts'

export type ChallengeTargetDeps = {
  channels: Channels
  targets: TargetSettings
  publicUrl: string | undefined
  confirmTarget: (id: string, now: Date) => Promise<void>
  now: () => number
}

const maxResponseBytes = 4_096

/**
 * Challenges the target of a subscription to prove consent: a webhook repeats a random text, the reader of a mailbox follows a
 * link. Web push and Telegram confirm in other ways.
 */
export const challengeTarget = async (
  deps: ChallengeTargetDeps,
  subscription: Subscription,
): Promise<ChallengeOutcome> => {
  if (subscription.confirmedAt) return { outcome: 'confirmed' }
  if (subscription.channel === 'webhook') return challengeWebhook(deps, subscription)
  if (subscription.channel === 'email') return mailLink(deps, subscription)
  return { outcome: 'failed', reason: 'this channel needs no challenge' }
}

const challengeWebhook = async (deps: ChallengeTargetDeps, subscription: Subscription): Promise<ChallengeOutcome> => {
  const challenge = crypto.randomUUID()
  const now = new Date(deps.now())
  const message: Message = {
    ...buildEnvelope(subscription, 'challenge', now),
    type: 'subscription.challenge',
    data: { challenge },
  }
  const context = { attempt: 1, now }
  const response = await postWebhook(deps.targets, toTarget(subscription), message, context, maxResponseBytes)
  const outcome = toOutcome(response)
  if (outcome.outcome !== 'delivered') return { outcome: 'failed', reason: outcome.reason }
  if (!('body' in response) || !isRepeated(challenge, response.body))
    return { outcome: 'failed', reason: 'the response does not repeat data.challenge' }
  await deps.confirmTarget(subscription.id, new Date(deps.now()))
  return { outcome: 'confirmed' }
}

/** Accepts `{ challenge }` or plain text. */
const isRepeated = (challenge: string, body: string | undefined): boolean =>
  body?.trim() === challenge || answerSchema.safeParse(body).data?.challenge === challenge

const answerSchema = jsonTextSchema.pipe(z.object({ challenge: z.string() }))

const mailLink = async (deps: ChallengeTargetDeps, subscription: Subscription): Promise<ChallengeOutcome> => {
  const { account, confirmToken } = subscription
  const send = deps.channels.email
  if (!send || !confirmToken) return { outcome: 'failed', reason: 'the email channel is disabled on this deployment' }
  const now = new Date(deps.now())
  const message: Message = {
    ...buildEnvelope(subscription, `confirm-${now.getTime()}`, now),
    type: 'subscription.challenge',
    title: 'Confirm your notifications',
    text: `Someone, probably you, requested e-mails to this address about the orders of ${account}. Follow the link to confirm. If you did not request them, ignore this e-mail; you will not receive any others.`,
    link: { label: 'Confirm', url: `${deps.publicUrl}/subscriptions/confirm/${confirmToken}` },
  }
  const outcome = await send(toTarget(subscription), message, { attempt: 1, now })
  return outcome.outcome === 'delivered' ? { outcome: 'sent' } : { outcome: 'failed', reason: outcome.reason }
}

const buildEnvelope = ({ id }: Subscription, purpose: string, now: Date) => ({
  id: `subscription-${id}-${purpose}`,
  timestamp: now.toISOString(),
  title: 'Challenge',
  text: '',
  link: undefined,
  tag: `subscription-${id}`,
  data: {},
})
