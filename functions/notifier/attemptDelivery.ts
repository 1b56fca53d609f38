import type { DueDelivery } from '#schema/queries/notifications/deliveries.ts'
import {
  type ClaimedDelivery,
  claimDelivery,
  markDelivered,
  markFailed,
} from '#schema/queries/notifications/deliveryAttempts.ts'
import { describeError } from '#shared/http/describeError.ts'
import { listTokens } from '#shared/notifications/toNotification.ts'
import type { DeliveryOutcome } from './channels/channel.ts'
import { computeNextAttempt } from './computeNextAttempt.ts'
import type { DeliveryDeps } from './deps.ts'
import { toMessage } from './toMessage.ts'
import { toTarget } from './toTarget.ts'

/** An attempt that takes longer counts as lost and is repeated; far longer than lookup, sending and recording take. */
const attemptLeaseMs = 60_000

/**
 * Makes one attempt and records its outcome.
 * @returns undefined without an attempt: another consumer has claimed the delivery, or it is no longer due
 * @throws ApiError when the database fails; the attempt then counts as lost
 */
export const attemptDelivery = async (
  deps: DeliveryDeps,
  due: Pick<DueDelivery, 'id' | 'attempt'>,
): Promise<DeliveryOutcome['outcome'] | undefined> => {
  const claimed = await claimDelivery(deps.database, due, { leaseMs: attemptLeaseMs, now: new Date(deps.now()) })
  if (!claimed) return undefined
  const outcome = await send(deps, claimed)
  await record(deps, claimed, outcome)
  return outcome.outcome
}

const send = async (deps: DeliveryDeps, claimed: ClaimedDelivery): Promise<DeliveryOutcome> => {
  const { delivery, notification, subscription } = claimed
  const channel = deps.channels[subscription.channel]
  if (!channel)
    return {
      outcome: 'failed',
      reason: `the ${subscription.channel} channel is disabled on this deployment`,
      isOurFault: true,
    }
  const tokens = await deps.findTokens(listTokens([notification]))
  try {
    const message = toMessage(claimed, tokens.find, deps.publicUrl)
    return await channel(toTarget(subscription), message, { attempt: delivery.attempt, now: new Date(deps.now()) })
  } catch (error) {
    deps.log({ message: 'delivery could not be sent', deliveryId: delivery.id, cause: describeError(error) })
    return { outcome: 'failed', reason: 'something failed on our side', isOurFault: true }
  }
}

const record = async (deps: DeliveryDeps, { delivery }: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> => {
  const now = new Date(deps.now())
  if (outcome.outcome === 'delivered') return markDelivered(deps.database, delivery.id, now)
  const failed = outcome.outcome === 'failed' ? outcome : undefined
  const failure = { ...delivery, retryAfterMs: failed?.retryAfterMs }
  await markFailed(
    deps.database,
    {
      ...delivery,
      reason: outcome.reason,
      nextAttemptAt: failed ? computeNextAttempt(failure, now, deps.random()) : null,
      isGone: !failed,
      isOurFault: failed?.isOurFault ?? false,
    },
    now,
  )
}
