import { useState } from 'preact/hooks'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { Chip } from '../ui/elements/Chip.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import type { ManageAction } from './buildMessages.ts'
import { channelTexts } from './channelTexts.ts'
import { describeHealth, type Subscription } from './describeHealth.ts'
import { SignedRequestState } from './SignedRequestState.tsx'
import { toEventText } from './SubscribeForm.tsx'
import { type Signer, signManage, useSignedRequest } from './useSignedRequest.ts'

type Props = { signer: Signer; subscription: Subscription; onChanged: () => void }

/** A subscription with its health, its test and its deletion. */
export const SubscriptionRow = ({ signer, subscription, onChanged }: Props) => {
  const { id, channel, target, types, confirmed, health } = subscription
  const { state, run, isBusy } = useSignedRequest()
  const [outcome, setOutcome] = useState<{ tone: 'ok' | 'error'; text: string } | null>(null)
  const { tone, label, note } = describeHealth(subscription)

  const request = <Result,>(action: ManageAction, send: (authorization: string) => Promise<Result>) => {
    setOutcome(null)
    return run(() => signManage(signer, action, id), send)
  }
  const paramsOf = (authorization: string) => ({
    params: { path: { account: signer.connection.address, id }, header: { authorization } },
  })
  const sendTest = async () => {
    const result = await request('test', (authorization) =>
      read(client.POST('/accounts/{account}/subscriptions/{id}/test', paramsOf(authorization))),
    )
    if (!result) return
    const isDelivered = result.outcome === 'delivered'
    setOutcome(
      isDelivered
        ? { tone: 'ok', text: 'The test message was delivered.' }
        : { tone: 'error', text: `The test message failed: ${result.reason ?? 'unknown reason'}.` },
    )
    onChanged()
  }
  const resume = async () => {
    const resumed = await request('replay', (authorization) =>
      read(client.POST('/accounts/{account}/subscriptions/{id}/replay', paramsOf(authorization))),
    )
    if (resumed) onChanged()
  }
  const remove = async () => {
    const removed = await request('delete', async (authorization) => {
      await read(client.DELETE('/accounts/{account}/subscriptions/{id}', paramsOf(authorization)))
      return true
    })
    if (removed) onChanged()
  }

  return (
    <li class="subscription">
      <div class="subscription-head">
        <strong>{channelTexts[channel].label}</strong>
        <Chip tone={tone}>{label}</Chip>
        <span class="actions">
          <button type="button" class="small" disabled={isBusy || !confirmed} onClick={sendTest}>
            Send test
          </button>
          {health.pausedAt !== null && (
            <button type="button" class="small" disabled={isBusy} onClick={resume}>
              Resume
            </button>
          )}
          <button type="button" class="small" disabled={isBusy} onClick={remove}>
            Delete
          </button>
        </span>
      </div>
      <p class="subscription-target">{target ?? 'No chat is connected yet'}</p>
      <p class="fine">
        {types.map(toEventText).join(', ')}
        {health.lastDeliveredAt !== null && (
          <>
            {' '}
            · last delivered <TimeText time={health.lastDeliveredAt} />
          </>
        )}
      </p>
      {note && <p class="fine">{note}</p>}
      {outcome && (
        <p class={`notice ${outcome.tone}`} role="status">
          {outcome.text}
        </p>
      )}
      <SignedRequestState state={state} />
    </li>
  )
}
