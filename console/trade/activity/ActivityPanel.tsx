import { useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { NotificationList } from '../../account/NotificationList.tsx'
import type { Balances } from '../../actions/balances.ts'
import type { RequestState } from '../../api/useRequest.ts'
import { withQuery } from '../../browser/withQuery.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import type { Order } from '../../order/loading/loadOrder.ts'
import { OrderList } from '../../order/rows/OrderList.tsx'
import { useUsdPrices } from '../../tokens/useUsdPrices.ts'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import { type Tab, Tabs } from '../../ui/elements/Tabs.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useOnChange } from '../../ui/useOnChange.ts'
import { CancelAll } from './CancelAll.tsx'
import { RowAction } from './RowAction.tsx'
import { useFillToasts } from './useFillToasts.tsx'

type Props = {
  network: Network
  owner: string
  /** of the owner */
  orders: RequestState<Order[]>
  /** UID of the order placed last on this page; empty: none */
  posted: string
  balances: Balances | undefined
  /** the followed order and its progress; any change reloads the list */
  followed: string
}

const names = ['open', 'history', 'notifications'] as const
type Name = (typeof names)[number]

/** Orders and notifications of the connected account, live. */
export const ActivityPanel = ({
  network,
  owner,
  orders: { data, failure, reload },
  posted,
  balances,
  followed,
}: Props) => {
  const location = useLocation()
  useFillToasts(network, data, posted)
  const isFirst = useRef(true)
  // a new order or a change of it
  useOnChange(() => {
    if (!isFirst.current) reload()
    isFirst.current = false
  }, [followed])
  const isOpen = ({ status }: Order) => status === 'open' || status === 'presignaturePending'
  const open = data?.filter(isOpen) ?? []
  const prices = useUsdPrices(network, listTokens(open))
  const ended = data?.filter((order) => !isOpen(order)) ?? []
  const chosen = names.find((name) => name === location.query.tab) ?? 'open'
  const tabs: Tab<Name>[] = [
    { name: 'open', label: 'Open orders', count: open.length },
    { name: 'history', label: 'History' },
    { name: 'notifications', label: 'Notifications' },
  ]
  const listOf = (orders: Order[], nothing: string) => {
    if (!data) return failure ? null : <Loading />
    if (orders.length === 0) return <p class="empty muted">{nothing}</p>
    return (
      <OrderList
        network={network}
        orders={orders}
        balances={balances}
        prices={prices}
        renderAction={(order, state) => (
          <RowAction network={network} order={order} state={state} holding={balances?.get(order.sellToken)} />
        )}
      />
    )
  }
  return (
    <section class="panel activity" aria-label="Your orders">
      <Tabs
        label="Your orders"
        tabs={tabs}
        chosen={chosen}
        onChoose={(name) => location.route(withQuery(location, { tab: name === 'open' ? null : name }), true)}
        action={chosen === 'open' && open.length > 1 ? <CancelAll network={network} orders={open} /> : undefined}
      >
        {failure && chosen !== 'notifications' && <Failure failure={failure} retry={reload} />}
        {chosen === 'open' && listOf(open, 'No open orders. Orders that you place appear here.')}
        {chosen === 'history' && (
          <>
            {listOf(ended, 'No past orders yet.')}
            {data && (
              <p class="fine">
                <a href={paths.account(network.name, owner)}>All orders of this account</a>
              </p>
            )}
          </>
        )}
        {chosen === 'notifications' && <NotificationList network={network} account={owner} isBare />}
      </Tabs>
    </section>
  )
}

/** Tokens whose prices are requested at most. */
const maxTokens = 40
const listTokens = (orders: readonly Order[]): string[] =>
  [...new Set(orders.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]))].sort().slice(0, maxTokens)

const Loading = () => (
  <p class="empty">
    <span class="visually-hidden">Loading …</span>
    <Skeleton width="70%" />
  </p>
)
