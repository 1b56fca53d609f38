import { useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useEventStream } from '../api/useEventStream.ts'
import { useRequest } from '../api/useRequest.ts'
import { withQuery } from '../browser/withQuery.ts'
import { Choice } from '../lists/Choice.tsx'
import { TokenFilter } from '../lists/TokenFilter.tsx'
import type { Network } from '../networks/NetworksProvider.tsx'
import { OrderList } from '../order/rows/OrderList.tsx'
import { Failure } from '../ui/Failure.tsx'
import { RawJson } from '../ui/RawJson.tsx'
import { useGathered } from '../ui/useGathered.ts'
import { useOnChange } from '../ui/useOnChange.ts'
import { orderStates, readAccountFilter, toOrderQuery } from './accountFilter.ts'
import { CsvButton } from './csv/CsvButton.tsx'
import { collectCsv } from './csv/collectCsv.ts'
import { findTokensOf } from './csv/findTokensOf.ts'
import { buildOrderColumns } from './csv/orderColumns.ts'
import { toCsvRows } from './csv/toCsvRows.ts'
import { loadAccountOrders, ordersOfPage } from './loadAccountOrders.ts'

/** Several events of one block cause one reload. */
const gatherMs = 300
/** Rows of a request while a file is collected. */
const csvPage = 100

type Props = { network: Network; account: string }

/** Orders of an account with filters, page by page. The address has the whole state. */
export const AccountOrders = ({ network, account }: Props) => {
  const location = useLocation()
  const { cursor } = location.query
  const filter = readAccountFilter(location.query)
  const of = { network: network.name, owner: account }
  const result = useRequest(`orders ${cursor} ${filter.state} ${filter.token}`, (signal) =>
    loadAccountOrders(of, filter, { cursor }, signal),
  )
  const { failure, isLoading, reload } = result
  // The previous page stays visible until the next one is loaded, so that the list does not jump.
  const last = useRef(result.data)
  if (result.data) last.current = result.data
  const data = failure ? result.data : last.current
  const top = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  // another page begins at its beginning
  useOnChange(() => {
    if (!isFirst.current) top.current?.focus()
    isFirst.current = false
  }, [cursor])
  const reloadSoon = useGathered(reload, gatherMs)
  const base = `/${network.name}/api/v1/account/${account}/orders`
  // older pages change only with an old order
  useEventStream(cursor === undefined && data ? `${base}/events` : null, reloadSoon, reloadSoon)
  const newest = withQuery(location, { cursor: null })
  const older = data?.next && withQuery(location, { cursor: data.next })
  const isFiltered = filter.state !== undefined || filter.token !== undefined
  const page = { limit: String(ordersOfPage), ...(cursor === undefined ? {} : { cursor }) }
  const jsonHref = isFiltered
    ? `/${network.name}/api/v1/explorer/orders?${new URLSearchParams({ ...toOrderQuery(filter), owner: account, ...page })}`
    : `${base}?${new URLSearchParams(page)}`
  const columns = buildOrderColumns(network)
  return (
    <div class={data || failure ? undefined : 'loading-orders'} aria-busy={isLoading} ref={top} tabIndex={-1}>
      <div class="filters">
        <Choice name="state" label="State" choices={orderStates} value={filter.state} />
        <TokenFilter />
        <CsvButton
          key={`${filter.state} ${filter.token}`}
          what="orders"
          fileName={`orders-${account}-${network.name}.csv`}
          collect={(onProgress, signal) =>
            collectCsv(
              {
                header: columns.map(([name]) => name),
                loadPage: async (after) => {
                  const { orders, next } = await loadAccountOrders(
                    of,
                    filter,
                    { cursor: after, limit: csvPage },
                    signal,
                  )
                  return { rows: orders, next }
                },
                toCells: async (orders) => toCsvRows(columns, orders, await findTokensOf(network, orders)),
              },
              onProgress,
            )
          }
        />
      </div>
      {failure && <Failure failure={failure} retry={reload} />}
      {!data && !failure && <p class="loading">Loading …</p>}
      {data && data.orders.length > 0 && <OrderList network={network} orders={data.orders} />}
      {data?.orders.length === 0 && (
        <p class="muted">
          {data.next !== null
            ? 'No such orders among the newest; older ones may follow.'
            : isFiltered
              ? 'This account has no such orders.'
              : cursor === undefined
                ? `This account has no orders on ${network.label}.`
                : 'No older orders.'}
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
      {data && <RawJson title="Orders as JSON" value={data.orders} href={jsonHref} />}
    </div>
  )
}
