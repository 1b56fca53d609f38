import { useCancellation } from '../../actions/useCancellation.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../../order/loading/loadOrder.ts'
import { describeOnchainCancel } from '../../order/state/describeOnchainCancel.ts'
import { useWallet } from '../../wallet/WalletProvider.tsx'

/** Cancels all open orders of the list with one signature. */
export const CancelAll = ({ network, orders }: { network: Network; orders: readonly Order[] }) => {
  const { connection } = useWallet()
  const uids = orders.filter((order) => order.status === 'open' && !describeOnchainCancel(order)).map(({ uid }) => uid)
  const { state, cancel, stop } = useCancellation(network, uids, connection)
  if (uids.length < 2) return null
  if (state.phase === 'signing')
    return (
      <button type="button" class="small" onClick={stop}>
        Stop waiting
      </button>
    )
  const why = state.phase === 'unsigned' ? state.why : state.phase === 'refused' ? state.failure.message : undefined
  return (
    <>
      {why !== undefined && (
        <span class="bad fine" role="alert">
          {why}
        </span>
      )}
      <button type="button" class="small" disabled={state.phase === 'sending'} onClick={cancel}>
        {state.phase === 'sending' ? 'Cancelling …' : 'Cancel all'}
      </button>
    </>
  )
}
