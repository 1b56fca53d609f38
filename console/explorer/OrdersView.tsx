import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import { withQuery } from '../browser/withQuery.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { OrderList } from '../order/rows/OrderList.tsx'
import { ListFrame } from './ListFrame.tsx'
import { readToken, TokenFilter } from './TokenFilter.tsx'
import { useList } from './useList.ts'

const statuses = {
  open: 'Open',
  fulfilled: 'Filled',
  cancelled: 'Cancelled',
  expired: 'Expired',
  presignaturePending: 'Waiting for a signature',
} as const
const kinds = { sell: 'Sell orders', buy: 'Buy orders' } as const

const readChoice = <Name extends string>(choices: Record<Name, string>, given: string | undefined): Name | undefined =>
  given !== undefined && Object.hasOwn(choices, given) ? (given as Name) : undefined

/** Orders of a network with filters, newest first. */
export const OrdersView = ({ network }: { network: Network }) => {
  const { query } = useLocation()
  const filter = {
    status: readChoice(statuses, query.status),
    kind: readChoice(kinds, query.kind),
    token: readToken(query.token),
  }
  const list = useList('orders', (cursor, signal) =>
    client.GET('/{network}/api/v1/explorer/orders', {
      params: { path: { network: network.name }, query: { ...dropUndefined({ ...filter, cursor }), limit: 25 } },
      signal,
    }),
  )
  return (
    <>
      <div class="filters">
        <Choice name="status" label="Status" choices={statuses} value={filter.status} />
        <Choice name="kind" label="Kind" choices={kinds} value={filter.kind} />
        <TokenFilter />
      </div>
      <ListFrame list={list} what="orders" render={(orders) => <OrderList network={network} orders={orders} />} />
    </>
  )
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

const dropUndefined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

type ChoiceProps = { name: string; label: string; choices: Record<string, string>; value: string | undefined }

/** A filter of few values. */
const Choice = ({ name, label, choices, value }: ChoiceProps) => {
  const location = useLocation()
  const choose = (chosen: string) => location.route(withQuery(location, { [name]: chosen || null, cursor: null }))
  return (
    <label>
      <span>{label}</span>
      <select value={value ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">All</option>
        {Object.entries(choices).map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
