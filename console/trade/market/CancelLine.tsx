import { useCancellation } from '../../actions/useCancellation.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { Icon } from '../../ui/elements/Icon.tsx'
import { useWallet } from '../../wallet/WalletProvider.tsx'

/** Cancels the order of a line of the chart. */
export const CancelLine = ({ network, uid }: { network: Network; uid: string }) => {
  const { connection } = useWallet()
  const { state, cancel, stop } = useCancellation(network, [uid], connection)
  const isBusy = state.phase === 'signing' || state.phase === 'sending'
  const why = state.phase === 'unsigned' ? state.why : state.phase === 'refused' ? state.failure.message : undefined
  return (
    <button
      type="button"
      class="bare"
      aria-label={isBusy ? 'Stop waiting' : 'Cancel this order'}
      title={why}
      onClick={isBusy ? stop : cancel}
    >
      {isBusy ? '…' : <Icon name="cross" size={12} />}
    </button>
  )
}
