import type { components } from '../api/openapi.d.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { toPaidToken } from '../tokens/toPaidToken.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { HexText } from '../ui/HexText.tsx'
import { TimeText } from '../ui/TimeText.tsx'

type Trade = components['schemas']['NetworkTrade']

type Props = {
  network: Network
  trades: readonly Trade[]
  /** of one account: without the column of the traders */
  isOfAccount?: boolean
}

/** Trades, newest first. */
export const TradeTable = ({ network, trades, isOfAccount = false }: Props) => {
  const trader: Column<Trade> = {
    name: 'Trader',
    share: 17,
    render: ({ owner }) => <HexText value={owner} label="account" href={paths.account(network.name, owner)} />,
  }
  return (
    <DataTable
      caption="Trades, newest first"
      rows={trades}
      keyOf={({ blockNumber, logIndex }) => `${blockNumber} ${logIndex}`}
      columns={[
        { name: 'Time', share: 12, render: ({ time }) => <TimeText time={time} /> },
        {
          name: 'Order',
          share: 17,
          render: ({ orderUid }) => (
            <HexText value={orderUid} label="order UID" href={paths.order(network.name, orderUid)} />
          ),
        },
        {
          name: 'Sold',
          share: 14,
          isNumeric: true,
          render: (trade) => (
            <TokenAmount network={network} token={toPaidToken(network, trade)} amount={trade.sellAmount} />
          ),
        },
        {
          name: 'Bought',
          share: 14,
          isNumeric: true,
          render: ({ buyToken, buyAmount }) => <TokenAmount network={network} token={buyToken} amount={buyAmount} />,
        },
        {
          name: 'Surplus',
          share: 14,
          isNumeric: true,
          render: ({ surplus }) => (surplus === null ? '–' : <NativeAmount network={network} amount={surplus} />),
        },
        {
          name: 'Solver',
          share: 12,
          render: ({ solver }) => <SolverText network={network} address={solver} isBrief />,
        },
        ...(isOfAccount ? [] : [trader]),
      ]}
    />
  )
}
