import type { components } from '../api/openapi.d.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { toPaidToken } from '../tokens/toPaidToken.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { HexText } from '../ui/HexText.tsx'
import { dollars } from '../ui/numbers.ts'
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
    share: 15,
    render: ({ owner }) => <HexText value={owner} label="account" href={paths.account(network.name, owner)} />,
  }
  return (
    <DataTable
      caption="Trades, newest first"
      rows={trades}
      keyOf={({ blockNumber, logIndex }) => `${blockNumber} ${logIndex}`}
      columns={[
        { name: 'Time', share: 10, render: ({ time }) => <TimeText time={time} /> },
        {
          name: 'Order',
          share: 15,
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
          name: 'Value',
          share: 10,
          isNumeric: true,
          render: ({ volume, volumeUsd }) => <Value network={network} wei={volume} usd={volumeUsd} />,
        },
        {
          name: 'Surplus',
          share: 10,
          isNumeric: true,
          render: ({ surplus, surplusUsd }) => <Value network={network} wei={surplus} usd={surplusUsd} />,
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

type ValueProps = { network: Network; wei: string | null; usd: number | null }

/** US dollars at the time of the trade, or the native token where they are unknown or less than a cent. */
const Value = ({ network, wei, usd }: ValueProps) => {
  if (wei === null) return '–'
  return usd === null || usd === 0 ? (
    <NativeAmount network={network} amount={wei} />
  ) : (
    <span class="number">{dollars.format(usd)}</span>
  )
}
