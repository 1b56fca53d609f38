import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { client } from '../api/client.ts'
import type { components } from '../api/openapi.d.ts'
import { read } from '../api/read.ts'
import { Segmented } from '../ui/elements/Segmented.tsx'
import { formatSnakeCase } from '../ui/formatSnakeCase.ts'
import { HexText } from '../ui/HexText.tsx'
import { signTypedData } from '../wallet/signTypedData.ts'
import { buildSubscribe } from './buildMessages.ts'
import { type ChannelName, channelNames, channelTexts } from './channelTexts.ts'
import { SignedRequestState } from './SignedRequestState.tsx'
import { type PushTarget, subscribePush } from './subscribePush.ts'
import { newStamp, type Signer, useSignedRequest } from './useSignedRequest.ts'

type Saved = components['schemas']['SavedSubscription']
type Body = components['schemas']['SubscriptionRequest']

type Props = { signer: Signer; onSaved: () => void }

/** Adds a subscription, or repeats its confirmation. */
export const SubscribeForm = ({ signer, onSaved }: Props) => {
  const { channels, connection } = signer
  const offered = channelNames.filter((name) => channels.channels.includes(name))
  const [channel, setChannel] = useState<ChannelName>(offered[0] ?? 'webhook')
  const [saved, setSaved] = useState<Saved | null>(null)
  const { state, run, stop, isBusy } = useSignedRequest()

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const types = form.getAll('type').map(String)
    if (types.length === 0) return stop('Choose at least one event.')
    setSaved(null)
    let target: string | PushTarget = String(form.get('target') ?? '').trim()
    if (channel === 'push') {
      try {
        target = await subscribePush(channels.vapidPublicKey ?? '')
      } catch (thrown) {
        return stop((thrown as Error).message)
      }
    }
    const networks = channels.networks.map(({ chainId }) => chainId)
    const stamp = newStamp('write')
    const terms = { channel, types, networks }
    const signed = { ...terms, target: typeof target === 'string' ? target : target.endpoint }
    const created = await run(
      () => signTypedData(connection, buildSubscribe(channels, connection.chainId, connection.address, signed, stamp)),
      (signature) =>
        read(
          client.POST('/accounts/{account}/subscriptions', {
            params: { path: { account: connection.address } },
            body: { ...terms, target, ...stamp, chainId: connection.chainId, signature } as Body,
          }),
        ),
    )
    if (!created) return
    setSaved(created)
    onSaved()
  }

  return (
    <form class="subscribe-form" onSubmit={submit}>
      <Segmented
        label="Channel"
        choices={
          Object.fromEntries(offered.map((name) => [name, channelTexts[name].label])) as Record<ChannelName, string>
        }
        value={channel}
        onChoose={setChannel}
        isDisabled={isBusy}
      />
      <p class="muted">{channelTexts[channel].text}</p>
      {channel === 'email' && (
        <label>
          <span>E-mail address</span>
          {/* type="email" refuses forms that the API accepts, such as names in other alphabets */}
          <input
            name="target"
            inputMode="email"
            pattern=".+@.+\..+"
            title="name@example.com"
            required
            autocomplete="email"
            key="email"
          />
        </label>
      )}
      {channel === 'webhook' && (
        <label>
          <span>URL</span>
          <input name="target" type="url" required placeholder="https://…" key="webhook" />
        </label>
      )}
      <fieldset class="event-types">
        <legend>Events</legend>
        {channels.types.map((type) => (
          <label key={type}>
            <input type="checkbox" name="type" value={type} defaultChecked />
            {toEventText(type)}
          </label>
        ))}
      </fieldset>
      <button type="submit" class="primary" disabled={isBusy}>
        Subscribe
      </button>
      <SignedRequestState state={state} />
      {saved && <SavedNotice saved={saved} />}
    </form>
  )
}

/** `order_filled` as "Order filled". */
export const toEventText = (type: string): string => {
  const words = formatSnakeCase(type)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Next steps after a new subscription: its secret, and its confirmation. */
const SavedNotice = ({ saved: { confirmed, channel, secret, link, reason } }: { saved: Saved }) => (
  <div class={confirmed ? 'notice ok' : 'notice warning'} role="status">
    <p>
      <strong>
        {confirmed ? 'Subscribed.' : channel === 'email' ? 'Check your mail and open the link.' : 'Not confirmed yet.'}
      </strong>
      {reason && ` ${reason}`}
    </p>
    {secret && (
      <p>
        Secret that signs its requests, shown only now: <HexText value={secret} label="secret" />
      </p>
    )}
    {link && (
      <p>
        <a class="button" href={link}>
          Open Telegram
        </a>
      </p>
    )}
  </div>
)
