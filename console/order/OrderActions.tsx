import { useState } from 'preact/hooks'
import { useApproval } from '../actions/useApproval.ts'
import { useBalances } from '../actions/useBalances.ts'
import { useCancellation } from '../actions/useCancellation.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { useToken } from '../tokens/useToken.ts'
import { Failure } from '../ui/Failure.tsx'
import { computePrice } from '../ui/ratio/computePrice.ts'
import { toPlainRatio } from '../ui/ratio/formatRatio.ts'
import { type Connection, useWallet } from '../wallet/WalletProvider.tsx'
import { EthFlowEnd } from './EthFlowEnd.tsx'
import { Invalidation } from './Invalidation.tsx'
import type { Order } from './loading/loadOrder.ts'
import { PresignStep } from './PresignStep.tsx'
import { computeRowState } from './rows/computeRowState.ts'
import { toTradeAgain } from './rows/toTradeAgain.ts'
import { describeOnchainCancel } from './state/describeOnchainCancel.ts'
import { describeState } from './state/describeState.ts'
import type { TokenPair } from './terms/useTokenPair.ts'

type Props = { network: Network; order: Order; pair: TokenPair }

/** What a reader of an order can do next; its owner, connected, can approve and cancel here. */
export const OrderActions = ({ network, order, pair }: Props) => {
  const { connection } = useWallet()
  const { action, isOpen } = describeState(order)
  const isOwner = connection?.address === order.owner && connection.chainId === network.chainId
  return (
    <div class="order-actions">
      <div class="actions">
        <Share />
        {order.status === 'open' && isOwner && <OwnerActions network={network} order={order} connection={connection} />}
        {action && !(isOwner && order.status === 'open') && (
          <a class="button" href={paths.tradeOrder(network.name, order.uid)}>
            {action}
          </a>
        )}
        {!isOpen && <Repeat network={network} order={order} pair={pair} />}
      </div>
      <PresignStep network={network} order={order} />
      <Invalidation network={network} order={order} />
      <EthFlowEnd network={network} order={order} />
    </div>
  )
}

const copiedMs = 1_500

const Share = () => {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(location.href)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), copiedMs)
  }
  return (
    <button type="button" class="outlined" onClick={copy}>
      {isCopied ? 'Link copied' : 'Copy link'}
    </button>
  )
}

/** An ended order again: at the market price after a fill, at its own price after none. */
const Repeat = ({ network, order }: Props) => {
  const [sell, buy] = [useToken(network, order.sellToken), useToken(network, order.buyToken)]
  if (sell?.decimals === undefined || buy?.decimals === undefined) return null
  const decimals = { sell: sell.decimals, buy: buy.decimals }
  if (order.status === 'fulfilled')
    return (
      <a class="button primary" href={toTradeAgain(network, order, decimals, null)}>
        Trade again
      </a>
    )
  const amounts = { sellAmount: BigInt(order.sellAmount), buyAmount: BigInt(order.buyAmount) }
  if (amounts.sellAmount === 0n || amounts.buyAmount === 0n) return null
  const price = toPlainRatio(computePrice(amounts, decimals), priceDigits)
  return (
    <a class="button primary" href={toTradeAgain(network, order, decimals, price)}>
      New order at this price
    </a>
  )
}

/** Enough to repeat an amount exactly. */
const priceDigits = 18

type OwnerProps = { network: Network; order: Order; connection: Connection }

const OwnerActions = ({ network, order, connection }: OwnerProps) => {
  const { balances } = useBalances(network.chainId, order.owner, [order.sellToken])
  const holding = balances?.get(order.sellToken)
  const { needed } = computeRowState(order, holding)
  const approval = useApproval(network, connection, { token: order.sellToken, allowance: holding?.allowance })
  const cancellation = useCancellation(network, [order.uid], connection)
  const { state } = cancellation
  const symbol = useToken(network, order.sellToken)?.symbol ?? 'the token'
  const isApproving = approval.state.phase === 'confirming' || approval.state.phase === 'mining'
  const why =
    approval.state.phase === 'failed' ? approval.state.why : state.phase === 'unsigned' ? state.why : undefined
  return (
    <>
      {needed !== null && (
        <button type="button" class="primary" disabled={isApproving} onClick={() => approval.approve(needed)}>
          {isApproving ? 'Approving …' : `Approve ${symbol}`}
        </button>
      )}
      {!describeOnchainCancel(order) &&
        (state.phase === 'signing' ? (
          <button type="button" class="outlined" onClick={cancellation.stop}>
            Stop waiting
          </button>
        ) : (
          <button
            type="button"
            class="outlined"
            disabled={state.phase === 'sending' || state.phase === 'cancelled'}
            onClick={cancellation.cancel}
          >
            {state.phase === 'sending' ? 'Cancelling …' : 'Cancel order'}
          </button>
        ))}
      {why !== undefined && (
        <p class="notice error" role="alert">
          {why}
        </p>
      )}
      {state.phase === 'refused' && <Failure failure={state.failure} />}
    </>
  )
}
