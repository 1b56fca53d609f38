import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useEventStream } from '../api/useEventStream.ts'
import { useRequest } from '../api/useRequest.ts'
import { useTitle } from '../browser/useTitle.ts'
import { withQuery } from '../browser/withQuery.ts'
import { type Network, useNetwork } from '../networks/NetworksProvider.tsx'
import { OrderList } from '../order/rows/OrderList.tsx'
import { Icon } from '../ui/elements/Icon.tsx'
import { Identicon } from '../ui/elements/Identicon.tsx'
import { Failure } from '../ui/Failure.tsx'
import { HexText } from '../ui/HexText.tsx'
import { RawJson } from '../ui/RawJson.tsx'
import { shorten } from '../ui/shorten.ts'
import { loadAccountOrders, ordersOfPage } from './loadAccountOrders.ts'
import { NotificationList } from './NotificationList.tsx'
import './account.css'

/** `/accounts/{account}`: orders of an account on a network, newest first, page by page, and its notifications. */
export const AccountPage = ({ account: given }: { account: string }) => {
  const account = given.toLowerCase()
  const network = useNetwork()
  useTitle(`Account ${shorten(account)}`)
  return (
    <div class="page">
      <div class="page-head">
        <Identicon of={account} size={44} />
        <h1>
          Account <HexText value={account} label="account" />
        </h1>
        {network.explorerUrl !== null && (
          <p class="actions">
            <a class="button" href={`${network.explorerUrl}/address/${account}`}>
              Block explorer
              <Icon name="external" size={16} />
            </a>
          </p>
        )}
      </div>
      <AccountOrders key={`${network.name} ${account}`} network={network} account={account} />
      <NotificationList network={network} account={account} />
    </div>
  )
}

/** Several events of one block cause one reload. */
const gatherMs = 300

const AccountOrders = ({ network, account }: { network: Network; account: string }) => {
  const location = useLocation()
  const { cursor } = location.query
  const result = useRequest(`orders ${cursor}`, (signal) => loadAccountOrders(network.name, account, cursor, signal))
  const { failure, isLoading, reload } = result
  // The previous page stays visible until the next one is loaded, so that the list does not jump.
  const last = useRef(result.data)
  if (result.data) last.current = result.data
  const data = failure ? result.data : last.current
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its beginning
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus()
    isFirst.current = false
  }, [cursor])
  const reloadSoon = useGathered(reload)
  const base = `/${network.name}/api/v1/account/${account}/orders`
  // older pages change only with an old order
  useEventStream(cursor === undefined && data ? `${base}/events` : null, 'order', reloadSoon)
  const newest = withQuery(location, { cursor: null })
  const older = data?.next && withQuery(location, { cursor: data.next })
  return (
    <section class={data || failure ? 'panel' : 'panel loading-orders'} aria-busy={isLoading}>
      <h2 ref={heading} tabIndex={-1}>
        Orders on {network.label}
      </h2>
      {failure && <Failure failure={failure} retry={reload} />}
      {!data && !failure && <p class="loading">Loading …</p>}
      {data && data.orders.length > 0 && <OrderList network={network} orders={data.orders} />}
      {data?.orders.length === 0 && (
        <p class="muted">
          {cursor === undefined ? `This account has no orders on ${network.label}.` : 'No older orders.'}
        </p>
      )}
      {(cursor !== undefined || older) && (
        <nav class="pager" aria-label="Pages of orders">
          {cursor === undefined ? <span class="muted">Newest</span> : <a href={newest}>Newest</a>}
          {older ? (
            <a href={older} rel="next">
              Older
            </a>
          ) : (
            data && <span class="muted">End of list</span>
          )}
        </nav>
      )}
      {data && (
        <RawJson
          title="Orders as JSON"
          value={data.orders}
          href={`${base}?limit=${ordersOfPage}${cursor === undefined ? '' : `&cursor=${cursor}`}`}
        />
      )}
    </section>
  )
}

/** Calls once for all calls within a short time. */
const useGathered = (call: () => void): (() => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      call()
    }, gatherMs)
  }
}
