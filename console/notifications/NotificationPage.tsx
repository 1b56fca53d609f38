import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { useTitle } from '../browser/useTitle.ts'
import { type Network, useNetwork } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { Failure } from '../ui/Failure.tsx'
import type { Connection } from '../wallet/connection/openConnection.ts'
import { useWallet } from '../wallet/WalletProvider.tsx'
import type { Channels } from './buildMessages.ts'
import { channelNames, channelTexts, describeMissingChannels } from './channelTexts.ts'
import { Subscriptions } from './Subscriptions.tsx'
import './notifications.css'

/** `/notifications`: channels of this deployment, and the subscriptions of the connected account. */
export const NotificationPage = () => {
  const network = useNetwork()
  const { connection } = useWallet()
  useTitle('Notifications')
  const { data, failure, reload } = useRequest('channels', (signal) =>
    read(client.GET('/notifications/channels', { signal })),
  )
  return (
    <div class="page narrow notification-page">
      <div class="page-head">
        <h1>Notifications</h1>
        {connection && (
          <p class="actions">
            <a class="button" href={paths.account(network.name, connection.address)}>
              Your account
            </a>
          </p>
        )}
      </div>
      {failure?.facts.status === 503 && (
        <p class="notice warning">Notifications are not configured on this deployment.</p>
      )}
      {failure && failure.facts.status !== 503 && <Failure failure={failure} retry={reload} />}
      {!data && !failure && <p class="loading">Loading …</p>}
      {data && (
        <>
          <ChannelPanel channels={data} />
          <Settings network={network} channels={data} connection={connection} />
        </>
      )}
    </div>
  )
}

/** The channels that exist, and those that this deployment lacks. */
const ChannelPanel = ({ channels }: { channels: Channels }) => {
  const missing = describeMissingChannels(channels.channels)
  return (
    <section class="panel">
      <h2>Channels</h2>
      <dl class="channel-list">
        {channelNames
          .filter((name) => channels.channels.includes(name))
          .map((name) => (
            <div key={name}>
              <dt>{channelTexts[name].label}</dt>
              <dd>{channelTexts[name].text}</dd>
            </div>
          ))}
      </dl>
      {missing && <p class="notice ended">{missing}</p>}
    </section>
  )
}

type SettingsProps = { network: Network; channels: Channels; connection: Connection | null }

const Settings = ({ network, channels, connection }: SettingsProps) => {
  const { openChoices, switchChain, isBusy } = useWallet()
  if (!connection)
    return (
      <section class="panel">
        <h2>Your subscriptions</h2>
        <p>Your wallet signs every change. Signing is free, no transaction is needed.</p>
        <button type="button" class="primary" onClick={openChoices}>
          Connect a wallet
        </button>
      </section>
    )
  if (connection.chainId !== network.chainId)
    return (
      <section class="panel">
        <h2>Your subscriptions</h2>
        <p>Your wallet is on another network than this page.</p>
        <button type="button" class="primary" disabled={isBusy} onClick={switchChain}>
          Switch to {network.label}
        </button>
      </section>
    )
  return <Subscriptions key={`${connection.address} ${connection.chainId}`} signer={{ channels, connection }} />
}
