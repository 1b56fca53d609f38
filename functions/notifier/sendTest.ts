import type { Subscription } from '#schema/queries/subscriptions.ts'
import type { Message } from './channels/channel.ts'
import type { Channels } from './channels/connectChannels.ts'
import type { TestOutcome } from './postTest.ts'
import { toTarget } from './toTarget.ts'

/** Sends a sample to the target of a subscription, once. It counts neither for nor against the target. */
export const sendTest = async (
  { channels, now }: { channels: Channels; now: () => Date },
  subscription: Subscription,
): Promise<TestOutcome> => {
  const { channel, account, confirmedAt } = subscription
  if (!confirmedAt) return { outcome: 'failed', reason: 'the subscription is not confirmed' }
  const send = channels[channel]
  if (!send) return { outcome: 'failed', reason: `${channel} is switched off here` }
  const sentAt = now()
  const text = `This is a test. What happens to the orders of ${account} will arrive here.`
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
