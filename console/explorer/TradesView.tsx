import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import { ListFrame } from '../lists/ListFrame.tsx'
import { readToken } from '../lists/readFilter.ts'
import { TokenFilter } from '../lists/TokenFilter.tsx'
import { TradeTable } from '../lists/TradeTable.tsx'
import { useList } from '../lists/useList.ts'
import type { Network } from '../networks/NetworksProvider.tsx'

/** Trades of a network, newest first. */
export const TradesView = ({ network }: { network: Network }) => {
  const token = readToken(useLocation().query.token)
  const list = useList('trades', (cursor, signal) =>
    client.GET('/{network}/api/v1/explorer/trades', {
      params: {
        path: { network: network.name },
        query: { limit: 25, ...(token ? { token } : {}), ...(cursor ? { cursor } : {}) },
      },
      signal,
    }),
  )
  return (
    <>
      <div class="filters">
        <TokenFilter />
      </div>
      <ListFrame list={list} what="trades" render={(trades) => <TradeTable network={network} trades={trades} />} />
    </>
  )
}
