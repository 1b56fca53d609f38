import type { ComponentChildren } from 'preact'
import type { Holding } from '../../actions/balances.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { PairLogos } from '../../tokens/logos/PairLogos.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import type { Token } from '../../tokens/token.ts'
import { useToken } from '../../tokens/useToken.ts'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { Bar } from '../../ui/Bar.tsx'
import { Chip } from '../../ui/elements/Chip.tsx'
import { formatFilled } from '../../ui/formatFilled.ts'
import { TimeText } from '../../ui/TimeText.tsx'
import type { Order } from '../loading/loadOrder.ts'
import { computeFilledShare } from '../state/computeFilledShare.ts'
import { useTokenPair } from '../terms/useTokenPair.ts'
import { computeRowState, type RowState } from './computeRowState.ts'
import { describeWait } from './describeWait.ts'
import './orderRow.css'

export type RenderAction = (order: Order, state: RowState) => ComponentChildren

type Props = {
  network: Network
  order: Order
  /** of the sell token; undefined: unknown */
  holding?: Holding | undefined
  renderAction?: RenderAction | undefined
  /** of the tokens of open orders; undefined: not shown, or loading */
  prices?: UsdPrices | undefined
}

/** An order in one line, or in two on narrow screens, with its action. */
export const OrderRow = ({ network, order, holding, renderAction, prices }: Props) => {
  const pair = useTokenPair(network, order)
  const state = computeRowState(order, holding)
  const { filled, of } = computeFilledShare(order)
  const isFilled = order.status === 'fulfilled'
  const sold = isFilled ? order.executedSellAmount : order.sellAmount
  const bought = isFilled ? order.executedBuyAmount : order.buyAmount
  const rate = pair.formatRate({ sell: BigInt(sold), buy: BigInt(bought) })
  const wait = useWait(network, order, state, prices)
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
        {wait !== undefined && <span class="fine order-row-wait">{wait}</span>}
      </div>
      <div class="order-row-state">
        <Chip tone={state.tone}>{state.label}</Chip>
        <span class="order-row-share fine">
          {isShared && (
            <>
              <Bar permille={Number((filled * 1_000n) / of)} />
              <span class="number">{formatFilled(filled, of)}</span>
            </>
          )}
          <TimeText time={order.creationDate} />
        </span>
      </div>
      {renderAction && <div class="order-row-action">{renderAction(order, state)}</div>}
    </li>
  )
}

/** Only an order that nothing else blocks waits for the price. */
const useWait = (network: Network, order: Order, state: RowState, prices: UsdPrices | undefined) => {
  const [sell, buy] = [useToken(network, order.sellToken), useToken(network, order.buyToken)]
  if (order.status !== 'open' || state.tone === 'act' || !prices) return undefined
  const toSide = (address: string, token: Token | undefined) => ({
    decimals: token?.decimals,
    usd: prices.get(address),
  })
  return describeWait(order, toSide(order.sellToken, sell), toSide(order.buyToken, buy))
}
