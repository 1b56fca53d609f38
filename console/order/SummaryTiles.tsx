import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { Icon } from '../ui/elements/Icon.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
import { formatDuration } from '../ui/formatDuration.ts'
import { formatShare } from '../ui/formatShare.ts'
import { HexText } from '../ui/HexText.tsx'
import type { Victory } from './competition/rankSolutions.ts'
import type { Order, Trade } from './loading/loadOrder.ts'
import { computeFees } from './prices/computeFees.ts'
import { computePrices, toWholeFill } from './prices/computePrices.ts'
import { GainText } from './prices/GainText.tsx'
import { describeState } from './state/describeState.ts'
import type { TokenPair } from './terms/useTokenPair.ts'

type Props = {
  network: Network
  order: Order
  pair: TokenPair
  trades: readonly Trade[]
  /** from the creation to the newest fill; null without a fill */
  filledAfterMs: number | null
  victory: Victory | null
}

/** The main figures of a filled order: time, amounts, cost and winner. */
export const SummaryTiles = ({ network, order, pair, trades, filledAfterMs, victory }: Props) => {
  const { executed, surplus, improvement } = computePrices(order, toWholeFill(order))
  const { result } = describeState(order)
  if (!executed || result === null) return null
  const gained = order.kind === 'sell' ? pair.buy : pair.sell
  const fees = computeFees(order, trades)
  const [newest] = trades
  return (
    <section class="tiles" aria-label="Result">
      <Tile title={result} value={filledAfterMs === null ? '–' : `in ${formatDuration(filledAfterMs)}`}>
        {newest && (
          <>
            {trades.length > 1 && `${trades.length} trades, the newest in `}
            <HexText
              value={newest.txHash}
              label="transaction hash"
              href={paths.transaction(network.name, newest.txHash)}
            />
          </>
        )}
      </Tile>
      {surplus && (
        <Tile
          title={surplus.atoms >= 0n ? 'Better than limit' : 'Worse than limit'}
          value={<GainText network={network} token={gained} gain={surplus} isBrief />}
        >
          {formatShare(surplus.atoms, surplus.of)}
          {improvement && (
            <>
              {' · '}
              <GainText network={network} token={gained} gain={improvement} isBrief /> vs. quote
            </>
          )}
        </Tile>
      )}
      <Tile title="Price" value={<span class="number">{pair.formatRate(executed) ?? '…'}</span>}>
        {pair.rateUnit}
      </Tile>
      <Tile
        title="Fees"
        value={
          <TokenAmount
            network={network}
            token={fees.token === order.sellToken ? pair.sell : fees.token}
            amount={fees.total}
          />
        }
      >
        {fees.policies.length === 0 ? 'network cost' : 'network cost, protocol and partners'}
        {fees.signed > 0n && (fees.signed === fees.total ? ', signed' : ', partly signed')}
      </Tile>
      {victory && (
        <p class="victory fine">
          <Icon name="check" size={16} /> Settled by{' '}
          <SolverText network={network} address={victory.winner.solver} isBrief />,{' '}
          {describeMargin(network, order, pair, victory)}
        </p>
      )}
    </section>
  )
}

const describeMargin = (network: Network, order: Order, pair: TokenPair, { winner, next, advantage }: Victory) => {
  if (!next) return 'the only solver that offered to fill it'
  if (advantage !== null && advantage !== 0n) {
    const amount = (
      <TokenAmount
        network={network}
        token={order.kind === 'sell' ? pair.buy : pair.sell}
        amount={advantage < 0n ? -advantage : advantage}
      />
    )
    return (
      <>
        {amount} {advantage > 0n ? 'more' : 'less'} for this order than the runner-up
      </>
    )
  }
  if (winner.score === next.score) return 'the runner-up offered the same'
  return (
    <>
      <NativeAmount network={network} amount={winner.score - next.score} /> more score than the runner-up
    </>
  )
}
