import type { ComponentChildren } from 'preact'
import type { Holding } from '../../actions/balances.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { PairLogos } from '../../tokens/logos/PairLogos.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { Bar } from '../../ui/Bar.tsx'
import { Chip } from '../../ui/elements/Chip.tsx'
import { formatFilled } from '../../ui/formatFilled.ts'
import { TimeText } from '../../ui/TimeText.tsx'
import type { Order } from '../loading/loadOrder.ts'
import { computeFilledShare } from '../state/computeFilledShare.ts'
import { useTokenPair } from '../terms/useTokenPair.ts'
import { computeRowState, type RowState } from './computeRowState.ts'
import './orderRow.css'

export type RenderAction = (order: Order, state: RowState) => ComponentChildren

type Props = {
  network: Network
  order: Order
  /** of the sell token; undefined: unknown */
  holding?: Holding | undefined
  renderAction?: RenderAction | undefined
}

/** An order in one line, or in two on narrow screens, with its action. */
export const OrderRow = ({ network, order, holding, renderAction }: Props) => {
  const pair = useTokenPair(network, order)
  const state = computeRowState(order, holding)
  const { filled, of } = computeFilledShare(order)
  const isFilled = order.status === 'fulfilled'
  const sold = isFilled ? order.executedSellAmount : order.sellAmount
  const bought = isFilled ? order.executedBuyAmount : order.buyAmount
  const rate = pair.formatRate({ sell: BigInt(sold), buy: BigInt(bought) })
  const isShared = filled > 0n && !isFilled
  return (
    <li class="order-row">
      <PairLogos network={network} sell={pair.sell} buy={pair.buy} size={30} />
      <div class="order-row-terms">
        <a href={paths.order(network.name, order.uid)} title={order.uid}>
          <TokenAmount network={network} token={pair.sell} amount={sold} /> <span aria-hidden="true">→</span>
          <span class="visually-hidden">for</span> <TokenAmount network={network} token={pair.buy} amount={bought} />
        </a>
        {isShared && (
          <span class="fine">
            sold <TokenAmount network={network} token={pair.sell} amount={order.executedSellAmount} /> for{' '}
            <TokenAmount network={network} token={pair.buy} amount={order.executedBuyAmount} />
          </span>
        )}
        <span class="fine">
          {order.kind === 'sell' ? 'Sell' : 'Buy'}
          {rate !== undefined && (
            <>
              {' '}
              {isFilled ? 'at' : 'limit'} <span class="number">{rate}</span> {pair.rateUnit}
            </>
          )}
        </span>
      </div>
      <div class="order-row-state">
        <Chip tone={state.tone}>{state.label}</Chip>
        <span class="order-row-share fine">
          {isShared && (
            <>
              <Bar permille={Number((filled * 1_000n) / of)} />
              <span class="number">{formatFilled(filled, of)}</span>
              <span aria-hidden="true">·</span>
            </>
          )}
          <TimeText time={order.creationDate} />
        </span>
      </div>
      {renderAction && <div class="order-row-action">{renderAction(order, state)}</div>}
    </li>
  )
}
