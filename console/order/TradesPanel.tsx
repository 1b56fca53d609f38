import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { HexText } from '../ui/HexText.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import { maxTrades, type Order, type Trade } from './loading/loadOrder.ts'
import { computePrices } from './prices/computePrices.ts'
import { GainText } from './prices/GainText.tsx'
import type { TokenPair } from './terms/useTokenPair.ts'

/** A trade and its time, Unix milliseconds. */
export type TimedTrade = { trade: Trade; time: number }

type Props = { network: Network; order: Order; pair: TokenPair; trades: readonly TimedTrade[] }

/** Fills of an order, newest first. */
export const TradesPanel = ({ network, order, pair, trades }: Props) => {
  if (trades.length === 0) return null
  const gained = order.kind === 'sell' ? pair.buy : pair.sell
  const columns: Column<TimedTrade>[] = [
    { name: 'When', render: ({ time }) => <TimeText time={time} /> },
    {
      name: 'Sold',
      isNumeric: true,
      render: ({ trade }) => <TokenAmount network={network} token={pair.sell} amount={trade.sellAmount} />,
    },
    {
      name: 'Bought',
      isNumeric: true,
      render: ({ trade }) => <TokenAmount network={network} token={pair.buy} amount={trade.buyAmount} />,
    },
    { name: `Price, ${pair.rateUnit}`, isNumeric: true, render: ({ trade }) => pair.formatRate(toExchange(trade)) },
    {
      name: 'Surplus',
      isNumeric: true,
      render: ({ trade }) => {
        const { surplus } = computePrices(order, trade)
        return surplus && <GainText network={network} token={gained} gain={surplus} />
      },
    },
    {
      name: 'Transaction',
      render: ({ trade: { txHash, blockNumber } }) => (
        <span>
          <HexText value={txHash} label="transaction hash" href={paths.transaction(network.name, txHash)} />{' '}
          <span class="muted">block {blockNumber}</span>
          {network.explorerUrl !== null && (
            <>
              {' '}
              <a href={`${network.explorerUrl}/tx/${txHash}`}>explorer</a>
            </>
          )}
        </span>
      ),
    },
  ]
  return (
    <section class="panel" aria-labelledby="trades">
      <h2 id="trades">Trades</h2>
      <DataTable
        caption="Trades"
        columns={columns}
        rows={trades}
        keyOf={({ trade }) => `${trade.txHash} ${trade.logIndex}`}
      />
      {trades.length === maxTrades && <p class="fine">These are the newest {maxTrades}.</p>}
    </section>
  )
}

const toExchange = ({ sellAmount, buyAmount }: Trade) => ({ sell: BigInt(sellAmount), buy: BigInt(buyAmount) })
