import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { withQuery } from '../browser/withQuery.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { keepPercents } from '../ui/keepPercents.ts'
import { TimeText } from '../ui/TimeText.tsx'
import '../lists/lists.css'
import './account.css'

const notificationsOfPage = 10

type Props = {
  network: Network
  account: string
  /** inside a panel that names it */
  isBare?: boolean
}

/** Notifications of an account about its orders on a network, newest first, page by page. */
export const NotificationList = ({ network, account, isBare = false }: Props) => {
  const location = useLocation()
  const { before } = location.query
  const { data, failure } = useRequest(`notifications ${network.name} ${account} ${before}`, (signal) =>
    read(
      client.GET('/accounts/{account}/notifications', {
        params: {
          path: { account },
          query: { limit: notificationsOfPage, network: network.name, ...(before === undefined ? {} : { before }) },
        },
        signal,
      }),
    ),
  )
  const last = data?.length === notificationsOfPage ? data.at(-1) : undefined
  return (
    <section class={isBare ? undefined : 'panel'} aria-label="Notifications">
      {!isBare && <h2>Notifications</h2>}
      {failure && <p class="muted">Notifications are unavailable: {failure.message}</p>}
      {!data && !failure && <p class="loading">Loading …</p>}
      {data?.length === 0 && (
        <p class="muted">{before === undefined ? 'No notifications yet.' : 'No older notifications.'}</p>
      )}
      {data && data.length > 0 && (
        <ul class="notifications">
          {data.map(({ id, message, timestamp, metadata }) => (
            <li key={id}>
              <a href={paths.order(network.name, metadata.orderUid)}>{keepPercents(message)}</a>
              <span class="fine">
                <TimeText time={timestamp} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {(before !== undefined || last) && (
        <nav class="pager" aria-label="Pages of notifications">
          {before === undefined ? (
            <span class="muted">Newest</span>
          ) : (
            <a href={withQuery(location, { before: null })}>Newest</a>
          )}
          {last ? (
            <a href={withQuery(location, { before: last.id })}>Older</a>
          ) : (
            data && <span class="muted">End of list</span>
          )}
        </nav>
      )}
    </section>
  )
}
