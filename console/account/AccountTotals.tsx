import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { withQuery } from '../browser/withQuery.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
import { count, dollars } from '../ui/numbers.ts'
import { type OrderStateName, orderStates } from './accountFilter.ts'

const everyMs = 60_000

/** Orders by state, volume and surplus of an account, and the range of trades that they cover. */
export const AccountTotals = ({ network, account }: { network: Network; account: string }) => {
  const location = useLocation()
  const { data, failure } = useRequest(
    `totals ${network.name} ${account}`,
    (signal) =>
      read(
        client.GET('/{network}/api/v1/explorer/accounts/{account}/statistics', {
          params: { path: { network: network.name, account } },
          signal,
        }),
      ),
    everyMs,
  )
  if (!data && failure) return <p class="notice warning">Totals are unavailable: {failure.message}</p>
  const { orders, trades } = data ?? {}
  const placed =
    orders && orders.open + orders.fulfilled + orders.cancelled + orders.expired + orders.presignaturePending
  const toCount = (state: OrderStateName) => orders?.[state === 'partial' ? 'partiallyFilled' : state] ?? 0
  const toLink = (state: OrderStateName) =>
    withQuery(location, { view: null, state, token: null, cursor: null, before: null })
  const wait = <Skeleton width="5rem" />
  return (
    <section class="account-totals" aria-label="Totals" aria-busy={!data}>
      <div class="tiles">
        <Tile title="Orders" value={placed === undefined ? wait : count.format(placed)}>
          {orders ? `${count.format(orders.open)} open` : wait}
        </Tile>
        <Tile title="Trades" value={trades ? count.format(trades.count) : wait}>
          {orders ? `${count.format(orders.fulfilled)} orders filled` : wait}
        </Tile>
        <Tile title="Volume" value={trades ? toValue(network, trades.volumeUsd, trades.volume) : wait}>
          {trades ? <NativeAmount network={network} amount={trades.volume} /> : wait}
        </Tile>
        <Tile title="Surplus" value={trades ? toValue(network, trades.surplusUsd, trades.surplus) : wait}>
          {trades ? <NativeAmount network={network} amount={trades.surplus} /> : wait}
        </Tile>
      </div>
      <ul class="account-states" aria-label="Orders by state">
        {(Object.keys(orderStates) as OrderStateName[])
          .filter((state) => state !== 'presignaturePending' || toCount(state) > 0)
          .map((state) => (
            <li key={state}>
              <a href={toLink(state)} aria-current={location.query.state === state ? 'true' : undefined}>
                {orderStates[state]} <strong class="number">{data ? count.format(toCount(state)) : '…'}</strong>
              </a>
            </li>
          ))}
      </ul>
      <p class="fine account-cover">
        {orders && trades ? describeCover(network, orders.isComplete, trades) : 'Loading totals …'}
      </p>
    </section>
  )
}

const toValue = (network: Network, usd: number | null, wei: string) =>
  usd === null ? <NativeAmount network={network} amount={wei} /> : dollars.format(usd)

type Trades = { count: number; valued: number; isComplete: boolean; volumeUsd: number | null }

const describeCover = ({ label, nativeSymbol }: Network, isComplete: boolean, trades: Trades): string => {
  const covered =
    isComplete && trades.isComplete ? `All orders and trades on ${label}.` : `The newest 10,000 on ${label}.`
  const unvalued = trades.count - trades.valued
  const left = unvalued === 0 ? '' : ` Without ${count.format(unvalued)} trades of unknown value.`
  const priced = trades.volumeUsd === null ? '' : ` Dollars at the price of ${nativeSymbol} in the hour of each trade.`
  return `${covered}${left}${priced} A partially filled order is also counted under its own state.`
}
