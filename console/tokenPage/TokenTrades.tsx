import { client } from '../api/client.ts'
import { ListFrame } from '../lists/ListFrame.tsx'
import { TradeTable } from '../lists/TradeTable.tsx'
import { useList } from '../lists/useList.ts'
import type { Network } from '../networks/NetworksProvider.tsx'

/** Trades of a token, newest first. */
export const TokenTrades = ({ network, token }: { network: Network; token: string }) => {
  const list = useList('trades', (cursor, signal) =>
    client.GET('/{network}/api/v1/explorer/trades', {
      params: { path: { network: network.name }, query: { token, limit: 10, ...(cursor ? { cursor } : {}) } },
      signal,
    }),
  )
  return <ListFrame list={list} what="trades" render={(trades) => <TradeTable network={network} trades={trades} />} />
}
