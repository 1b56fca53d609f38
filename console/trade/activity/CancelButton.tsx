import { useCancellation } from '../../actions/useCancellation.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../../order/loading/loadOrder.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { useWallet } from '../../wallet/WalletProvider.tsx'

/** Cancels the order of a row. */
export const CancelButton = ({ network, order }: { network: Network; order: Order }) => {
  const { connection } = useWallet()
  const { state, cancel, stop } = useCancellation(network, [order.uid], connection)
  const { phase } = state
  if (phase === 'cancelled') return <span class="fine">Cancelled</span>
  return (
    <>
      {phase === 'signing' ? (
        <button type="button" class="small" onClick={stop}>
          Stop waiting
        </button>
      ) : (
        <button type="button" class="small" disabled={phase === 'sending'} onClick={cancel}>
          {phase === 'sending' ? 'Cancelling …' : 'Cancel'}
        </button>
      )}
      <ErrorNotice text={state.phase === 'unsigned' && state.why} />
      <ErrorNotice text={state.phase === 'refused' && state.failure.message} />
    </>
  )
}
