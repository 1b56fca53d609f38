import { type CancellationState, useCancellation } from '../../actions/useCancellation.ts'
import type { components } from '../../api/openapi.d.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { EthFlowEnd } from '../../order/EthFlowEnd.tsx'
import { Invalidation } from '../../order/Invalidation.tsx'
import { PresignStep } from '../../order/PresignStep.tsx'
import { describeOnchainCancel } from '../../order/state/describeOnchainCancel.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { shorten } from '../../ui/shorten.ts'
import { useWallet } from '../../wallet/WalletProvider.tsx'

type Order = components['schemas']['Order']

type Props = { network: Network; order: Order; keepFocus: () => void }

/** Cancels an open order. */
export const CancelStep = ({ network, order, keepFocus }: Props) => {
  const { connection } = useWallet()
  const { state, cancel, stop } = useCancellation(network, [order.uid], connection)
  const isOpen = order.status === 'open'
  const onchainCancel = describeOnchainCancel(order)
  const isOwner = connection?.address === order.owner && connection.chainId === network.chainId
  const start = () => {
    // the button disappears with the order
    keepFocus()
    void cancel()
  }
  return (
    <>
      <Outcome state={state} />
      {isOpen && state.phase !== 'cancelled' && isOwner && !onchainCancel && (
        <p class="row-facts">
          <button type="button" disabled={state.phase === 'signing' || state.phase === 'sending'} onClick={start}>
            {state.phase === 'signing' && 'Sign in your wallet …'}
            {state.phase === 'sending' && 'Cancelling …'}
            {state.phase !== 'signing' && state.phase !== 'sending' && 'Cancel order'}
          </button>
          {state.phase === 'signing' && (
            <button type="button" onClick={stop}>
              Stop waiting
            </button>
          )}
        </p>
      )}
      {order.status === 'presignaturePending' && isOwner && (
        <p class="notice" role="status">
          Waiting for your wallet to confirm on-chain. The order is traded once the transaction is included.
        </p>
      )}
      <PresignStep network={network} order={order} />
      <Invalidation network={network} order={order} />
      <EthFlowEnd network={network} order={order} />
      {(isOpen || order.status === 'presignaturePending') && !isOwner && onchainCancel && (
        <p class="fine">{onchainCancel}</p>
      )}
      {isOpen && !isOwner && !onchainCancel && (
        <p class="fine">
          To cancel it, connect {shorten(order.owner)} on {network.label}.
        </p>
      )}
    </>
  )
}

const Outcome = ({ state }: { state: CancellationState }) => {
  if (state.phase === 'refused') return <Failure failure={state.failure} />
  if (state.phase === 'unsigned') return <ErrorNotice text={state.why} />
  if (state.phase !== 'cancelled') return null
  const { inFlight } = state
  return (
    <p class={`notice ${inFlight ? 'warning' : 'ok'}`} role="status">
      {inFlight
        ? `Cancelled. Auction ${inFlight.auction} already includes the order; its winner may still settle it${inFlight.deadline ? ` until block ${inFlight.deadline}` : ''}.`
        : 'Cancelled. No auction includes the order.'}
    </p>
  )
}
