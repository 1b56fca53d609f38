import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import type { Message } from './channels/channel.ts'
import type { Channels } from './channels/connectChannels.ts'
import type { TestOutcome } from './postTest.ts'
import { toTarget } from './toTarget.ts'

/** Sends one test message to the target of a subscription. The outcome does not affect the subscription's health. */
export const sendTest = async (
  { channels, now }: { channels: Channels; now: () => number },
  subscription: Subscription,
): Promise<TestOutcome> => {
  const { channel, account, confirmedAt } = subscription
  if (!confirmedAt) return { outcome: 'failed', reason: 'the subscription is not confirmed' }
  const send = channels[channel]
  if (!send) return { outcome: 'failed', reason: `the ${channel} channel is disabled on this deployment` }
  const sentAt = new Date(now())
  const text = `This is a test. Notifications about the orders of ${account} will arrive here.`
  const id = `test-${crypto.randomUUID()}`
  const message: Message = {
    id,
    type: 'test',
    timestamp: sentAt.toISOString(),
    title: 'Test',
    text,
    link: undefined,
    tag: 'test',
    data: { account, message: text },
  }
  const outcome = await send(toTarget(subscription), message, { attempt: 1, now: sentAt })
  return outcome.outcome === 'delivered' ? outcome : { outcome: 'failed', reason: outcome.reason }
}
