import type { ComponentChildren } from 'preact'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { formatDuration } from '../ui/formatDuration.ts'
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
      <Tile title={result}>
        <strong>{filledAfterMs === null ? 'yes' : `${formatDuration(filledAfterMs)} after it was placed`}</strong>
        {newest && (
          <span>
            {trades.length > 1 ? `${trades.length} trades, the newest in ` : 'in '}
            <HexText
              value={newest.txHash}
              label="transaction hash"
              href={paths.transaction(network.name, newest.txHash)}
            />
          </span>
        )}
      </Tile>
      <Tile title="Traded">
        <strong>
          <TokenAmount network={network} token={pair.buy} amount={executed.buy} />
        </strong>
        <span>
          for <TokenAmount network={network} token={pair.sell} amount={executed.sell} />
        </span>
        <span class="muted">
          {pair.formatRate(executed)} {pair.rateUnit}
        </span>
      </Tile>
      {surplus && (
        <Tile title="Surplus over the limit">
          <strong>
            <GainText network={network} token={gained} gain={surplus} />
          </strong>
          {improvement && (
            <span>
              <GainText network={network} token={gained} gain={improvement} /> over the quote
            </span>
          )}
        </Tile>
      )}
      <Tile title="Paid in fees">
        <strong>
          <TokenAmount
            network={network}
            token={fees.token === order.sellToken ? pair.sell : fees.token}
            amount={fees.total}
          />
        </strong>
        <span class="muted">
          {fees.policies.length === 0 ? 'all of it for gas' : 'gas, protocol and partners'},{' '}
          {fees.signed === 0n ? 'in the price' : fees.signed === fees.total ? 'signed' : 'signed and in the price'}
        </span>
      </Tile>
      {victory && (
        <Tile title="Won by">
          <strong>
            <SolverText network={network} address={victory.winner.solver} isBrief />
          </strong>
          <span>{describeMargin(network, order, pair, victory)}</span>
        </Tile>
      )}
    </section>
  )
}

const Tile = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class="tile">
    <h2>{title}</h2>
    {children}
  </div>
)

const describeMargin = (network: Network, order: Order, pair: TokenPair, { winner, next, advantage }: Victory) => {
  if (!next) return 'no other solver proposed to fill it'
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
        {amount} {advantage > 0n ? 'better' : 'less'} for this order than the next
      </>
    )
  }
  if (winner.score === next.score) return 'the next proposed the same'
  return (
    <>
      <NativeAmount network={network} amount={winner.score - next.score} /> more score than the next
    </>
  )
}
