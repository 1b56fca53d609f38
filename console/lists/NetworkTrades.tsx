import { client } from '../api/client.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { dropUndefined } from './dropUndefined.ts'
import { ListFrame } from './ListFrame.tsx'
import { TradeTable } from './TradeTable.tsx'
import { useList } from './useList.ts'

type Props = { network: Network /** sold or bought */; token: string | undefined /** rows of a page */; limit: number }

/** Trades of a network, newest first, page by page. */
export const NetworkTrades = ({ network, token, limit }: Props) => {
  const list = useList('trades', (cursor, signal) =>
    client.GET('/{network}/api/v1/explorer/trades', {
      params: { path: { network: network.name }, query: dropUndefined({ token, limit, cursor }) },
      signal,
    }),
  )
  return <ListFrame list={list} what="trades" render={(trades) => <TradeTable network={network} trades={trades} />} />
}
