import { takeMailSlot } from '#schema/queries/notifications/signedNonces.ts'
import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { FindDatabase } from '../connectBackend.ts'
import type { ChallengeResponse } from './notifierClient.ts'

export type ConfirmationDeps = {
  telegramBot: string | null
  findDatabase: FindDatabase
  /** rejects with an ApiError when the notifier does not respond */
  requestChallenge: (subscriptionId: string) => Promise<ChallengeResponse>
}

/** Response fields of a subscription that is not confirmed yet. */
export type SubscriptionConfirmation = { confirmed?: boolean; link?: string; reason?: string }

/** Runs the next step of the confirmation. When it fails, the subscription stays, and posting it again repeats the step. */
export const requestConfirmation = async (
  { telegramBot, findDatabase, requestChallenge }: ConfirmationDeps,
  { id, channel, target, confirmToken }: Subscription,
): Promise<SubscriptionConfirmation> => {
  if (channel === 'telegram') return { link: `https://t.me/${telegramBot}?start=${confirmToken}` }
  if (channel === 'email' && !(await takeMailSlot(findDatabase(), target ?? ''))) {
    return {
      reason: 'too many mails to this address within the hour: use the link in one of them, or post again later',
    }
  }
  try {
    const { outcome, reason } = await requestChallenge(id)
    if (outcome === 'confirmed') return { confirmed: true }
    if (outcome === 'sent') return { reason: 'open the link in the mail within a day' }
    return { reason: `${reason ?? 'the target did not confirm'}; post again to repeat it` }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { reason: 'the confirmation could not be sent now; post again to repeat it' }
  }
}
