import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { computeFilledShare } from '../../order/state/computeFilledShare.ts'
import { describeState, isPartlyFilled } from '../../order/state/describeState.ts'
import { StatusBadge } from '../../order/state/StatusBadge.tsx'
import { OrderTerms } from '../../order/terms/OrderTerms.tsx'
import { PairLogos } from '../../tokens/logos/PairLogos.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { toPaidToken } from '../../tokens/toPaidToken.ts'
import { Bar } from '../../ui/Bar.tsx'
import { Icon } from '../../ui/elements/Icon.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { formatFilled } from '../../ui/formatFilled.ts'
import { HexText } from '../../ui/HexText.tsx'
import { TimeText } from '../../ui/TimeText.tsx'
import { CancelStep } from './CancelStep.tsx'
import { listSettlements } from './listSettlements.ts'
import { OrderEvents } from './OrderEvents.tsx'
import { type FollowedOrder, useFollowedOrder } from './useFollowedOrder.ts'

type Props = {
  network: Network
  uid: string
  /** placed on this page a moment ago */
  isNew: boolean
  close: () => void
  /** receives a text that changes with the status and the filled amount of the order */
  onProgress: (progress: string) => void
}

/** An order, updated until its end. */
export const FollowedOrderPanel = ({ network, uid, isNew, close, onProgress }: Props) => {
  const followed = useFollowedOrder(network.name, uid)
  const { order, failure, reload } = followed
  const progress = order ? `${uid} ${order.status} ${order.executedSellAmount}` : ''
  useEffect(() => onProgress(progress), [onProgress, progress])
  const title = useRef<HTMLHeadingElement>(null)
  // it appears below the button that placed it, possibly out of view; an effect after the next frame could take the
  // focus from what the user chose meanwhile
  useLayoutEffect(() => {
    if (isNew) title.current?.focus()
  }, [isNew])
  return (
    <section class="panel followed" aria-labelledby="followed-title">
      <div class="panel-head">
        <h2 id="followed-title" ref={title} tabIndex={-1}>
          Your order
        </h2>
        <span class="actions">
          <a class="button small" href={paths.order(network.name, uid)}>
            Order details
          </a>
          <button type="button" class="icon-button" aria-label="Hide this order" onClick={close}>
            <Icon name="cross" size={18} />
          </button>
        </span>
      </div>
      {failure && <Failure failure={failure} retry={reload} />}
      {!order && !failure && <p class="loading">Loading the order …</p>}
      {order && (
        <Progress network={network} order={order} followed={followed} keepFocus={() => title.current?.focus()} />
      )}
    </section>
  )
}

type Order = NonNullable<FollowedOrder['order']>

type ProgressProps = { network: Network; order: Order; followed: FollowedOrder; keepFocus: () => void }

const Progress = ({ network, order, followed, keepFocus }: ProgressProps) => {
  const { filled, of } = computeFilledShare(order)
  const paid = toPaidToken(network, order)
  const transactions = listSettlements(followed.events)
  return (
    <>
      <p role="status" class="followed-terms">
        <PairLogos network={network} sell={paid} buy={order.buyToken} size={28} />
        <OrderTerms network={network} order={order} />
        <StatusBadge status={order.status} isPartlyFilled={isPartlyFilled(order)} />
      </p>
      <Bar permille={Number((filled * 1_000n) / of)} tone={order.status === 'fulfilled' ? 'good' : 'info'} isLarge />
      <dl class="facts">
        <div>
          <dt>Filled</dt>
          <dd>{formatFilled(filled, of)}</dd>
        </div>
        <div>
          <dt>Sold</dt>
          <dd>
            <TokenAmount network={network} token={paid} amount={order.executedSellAmount} />
          </dd>
        </div>
        <div>
          <dt>Bought</dt>
          <dd>
            <TokenAmount network={network} token={order.buyToken} amount={order.executedBuyAmount} />
          </dd>
        </div>
        {describeState(order).isOpen && (
          <div>
            <dt>Expires</dt>
            <dd>
              <TimeText time={(order.ethflowData?.userValidTo ?? order.validTo) * 1_000} />
            </dd>
          </div>
        )}
        {transactions.map((hash) => (
          <div key={hash}>
            <dt>Settlement</dt>
            <dd>
              <HexText value={hash} label="transaction" href={paths.transaction(network.name, hash)} />
            </dd>
          </div>
        ))}
      </dl>
      <OrderEvents events={followed.events} stream={followed.stream} />
      <CancelStep network={network} order={order} keepFocus={keepFocus} />
    </>
  )
}
