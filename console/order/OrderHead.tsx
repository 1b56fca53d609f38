import type { StreamState } from '../api/useEventStream.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { Bar } from '../ui/Bar.tsx'
import { FactGrid } from '../ui/FactGrid.tsx'
import { formatShare } from '../ui/formatShare.ts'
import { HexText } from '../ui/HexText.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import { LiveMark } from './LiveMark.tsx'
import type { Order } from './loading/loadOrder.ts'
import { computeFilledShare } from './state/computeFilledShare.ts'
import { describeOnchainCancel } from './state/describeOnchainCancel.ts'
import { describeState, isPartlyFilled } from './state/describeState.ts'
import { StatusBadge } from './state/StatusBadge.tsx'
import { OrderTerms } from './terms/OrderTerms.tsx'
import type { TokenPair } from './terms/useTokenPair.ts'
import { formatDayAndClock } from './timeline/formatClock.ts'

type Props = { network: Network; order: Order; pair: TokenPair; stream: StreamState }

/** Head of an order: terms, status, owner and validity. */
export const OrderHead = ({ network, order, pair, stream }: Props) => {
  const { filled, of } = computeFilledShare(order)
  const { isOpen, action } = describeState(order)
  const isPartly = isPartlyFilled(order)
  const onchainCancel = isOpen ? describeOnchainCancel(order) : undefined
  const validTo = order.ethflowData?.userValidTo ?? order.validTo
  const toAccount = (account: string) => paths.account(network.name, account)
  return (
    <header class="order-head">
      <div class="order-title">
        <h1>
          <OrderTerms network={network} order={{ ...order, sellToken: pair.sell, buyToken: pair.buy }} />
        </h1>
        <StatusBadge status={order.status} isPartlyFilled={isPartly} />
        {isOpen && <LiveMark stream={stream} />}
        {action && <a href={paths.tradeOrder(network.name, order.uid)}>{action}</a>}
      </div>
      {isPartly && (
        <div class="filled-share">
          <Bar permille={Number((filled * 1_000n) / of)} tone="good" />
          <span class="number">{formatShare(filled, of)} filled</span>
        </div>
      )}
      <FactGrid
        facts={[
          { name: 'Owner', value: <HexText value={order.owner} label="owner" href={toAccount(order.owner)} /> },
          order.onchainUser !== undefined && {
            name: 'Placed for',
            value: <HexText value={order.onchainUser} label="account" href={toAccount(order.onchainUser)} />,
          },
          order.receiver !== null &&
            order.receiver !== order.owner && {
              name: 'Receiver',
              value: <HexText value={order.receiver} label="receiver" href={toAccount(order.receiver)} />,
            },
          { name: 'Order UID', value: <HexText value={order.uid} label="order UID" /> },
          { name: 'Created', value: <Moment time={Date.parse(order.creationDate)} /> },
          { name: 'Valid until', value: <Moment time={validTo * 1_000} /> },
          onchainCancel !== undefined && { name: 'To cancel it', value: onchainCancel },
          {
            name: 'Kind',
            value: `${order.class} order, ${order.partiallyFillable ? 'may be filled in parts' : 'all or nothing'}`,
          },
        ]}
      />
    </header>
  )
}

const Moment = ({ time }: { time: number }) => (
  <>
    {formatDayAndClock(time)}
    <br />
    <span class="muted">
      <TimeText time={time} />
    </span>
  </>
)
