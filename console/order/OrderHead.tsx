import type { StreamState } from '../api/streamState.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { PairLogos } from '../tokens/logos/PairLogos.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { Bar } from '../ui/Bar.tsx'
import { formatDayAndClock } from '../ui/formatClock.ts'
import { formatFilled } from '../ui/formatFilled.ts'
import { HexText } from '../ui/HexText.tsx'
import { AccountName } from '../wallet/AccountName.tsx'
import { LiveMark } from './LiveMark.tsx'
import type { Order } from './loading/loadOrder.ts'
import { OrderActions } from './OrderActions.tsx'
import { computeFilledShare } from './state/computeFilledShare.ts'
import { describeState, isPartlyFilled } from './state/describeState.ts'
import { StatusBadge } from './state/StatusBadge.tsx'
import { OrderSentence } from './terms/OrderSentence.tsx'
import type { TokenPair } from './terms/useTokenPair.ts'

type Props = { network: Network; order: Order; pair: TokenPair; stream: StreamState }

/** Head of an order: its trade in a sentence, its status and its actions. */
export const OrderHead = ({ network, order, pair, stream }: Props) => {
  const { filled, of } = computeFilledShare(order)
  const { isOpen } = describeState(order)
  const isPartly = isPartlyFilled(order)
  return (
    <header class="order-head">
      <div class="order-title">
        <PairLogos network={network} sell={pair.sell} buy={pair.buy} size={44} />
        <div>
          <div class="order-sentence">
            <h1>
              <OrderSentence network={network} order={order} pair={pair} />
            </h1>
            <StatusBadge status={order.status} isPartlyFilled={isPartly} />
            {isOpen && <LiveMark stream={stream} />}
          </div>
          <p class="fine order-origin">
            <HexText value={order.uid} label="order UID" />
            <span>
              by <HexText value={order.owner} label="owner" href={paths.account(network.name, order.owner)} />{' '}
              <AccountName network={network} address={order.owner} />
            </span>
            <span>{formatDayAndClock(Date.parse(order.creationDate))}</span>
          </p>
        </div>
        <OrderActions network={network} order={order} pair={pair} />
      </div>
      {(isOpen || isPartly) && (
        <div class="filled-share">
          <Bar permille={Number((filled * 1_000n) / of)} tone={isOpen ? 'info' : 'plain'} isLarge />
          <span>
            <span class="number">{formatFilled(filled, of)} filled</span>
            {isPartly && (
              <>
                : sold <TokenAmount network={network} token={pair.sell} amount={order.executedSellAmount} /> for{' '}
                <TokenAmount network={network} token={pair.buy} amount={order.executedBuyAmount} />
              </>
            )}
          </span>
        </div>
      )}
    </header>
  )
}
