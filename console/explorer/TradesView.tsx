import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { HexText } from '../ui/HexText.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import { ListFrame } from './ListFrame.tsx'
import { readToken, TokenFilter } from './TokenFilter.tsx'
import { useList } from './useList.ts'

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
      <ListFrame
        list={list}
        what="trades"
        render={(trades) => (
          <DataTable
            caption="Trades, newest first"
            rows={trades}
            keyOf={({ blockNumber, logIndex }) => `${blockNumber} ${logIndex}`}
            columns={[
              { name: 'Time', render: ({ time }) => <TimeText time={time} /> },
              {
                name: 'Order',
                render: ({ orderUid }) => (
                  <HexText value={orderUid} label="order UID" href={paths.order(network.name, orderUid)} />
                ),
              },
              {
                name: 'Sold',
                isNumeric: true,
                render: ({ sellToken, sellAmount }) => (
                  <TokenAmount network={network} token={sellToken} amount={sellAmount} />
                ),
              },
              {
                name: 'Bought',
                isNumeric: true,
                render: ({ buyToken, buyAmount }) => (
                  <TokenAmount network={network} token={buyToken} amount={buyAmount} />
                ),
              },
              {
                name: 'Surplus',
                isNumeric: true,
                render: ({ surplus }) => (surplus === null ? '–' : <NativeAmount network={network} amount={surplus} />),
              },
              { name: 'Solver', render: ({ solver }) => <SolverText network={network} address={solver} isBrief /> },
              {
                name: 'Trader',
                render: ({ owner }) => (
                  <HexText value={owner} label="account" href={paths.account(network.name, owner)} />
                ),
              },
            ]}
          />
        )}
      />
    </>
  )
}
