import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
import { Failure } from '../ui/Failure.tsx'
import { count, numberFormat } from '../ui/numbers.ts'

const everyMs = 60_000
const wholeDollars = numberFormat({ style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** Totals of the last day, with those of the last week. */
export const StatisticsTiles = ({ network }: { network: Network }) => {
  const { data, failure, reload } = useRequest(
    'statistics',
    (signal) =>
      read(
        client.GET('/{network}/api/v1/explorer/statistics', { params: { path: { network: network.name } }, signal }),
      ),
    everyMs,
  )
  if (!data) return failure ? <Failure failure={failure} retry={reload} /> : <LoadingTiles />
  const { day, week } = data
  const toVolume = ({ volume, volumeUsd }: typeof day) =>
    volumeUsd === null ? <NativeAmount network={network} amount={volume} /> : wholeDollars.format(volumeUsd)
  return (
    <section class="tiles" aria-label="Totals">
      <Tile title="Volume, 24 hours" value={toVolume(day)}>
        7 days: {toVolume(week)}
      </Tile>
      <Tile title="Surplus, 24 hours" value={<NativeAmount network={network} amount={day.surplus} />}>
        7 days: <NativeAmount network={network} amount={week.surplus} />
      </Tile>
      <Tile title="Trades, 24 hours" value={count.format(day.trades)}>
        7 days: {count.format(week.trades)}, by {count.format(week.traders)} {week.traders === 1 ? 'trader' : 'traders'}
      </Tile>
      <Tile title="Orders, 24 hours" value={count.format(day.orders)}>
        7 days: {count.format(week.orders)}
      </Tile>
    </section>
  )
}

const LoadingTiles = () => (
  <section class="tiles" aria-label="Totals" aria-busy="true">
    {['Volume', 'Surplus', 'Trades', 'Orders'].map((name) => (
      <Tile key={name} title={`${name}, 24 hours`} value={<Skeleton width="5rem" />}>
        7 days: <Skeleton width="4rem" />
      </Tile>
    ))}
  </section>
)
