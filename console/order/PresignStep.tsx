import { buildPresignature } from '../actions/buildPresignature.ts'
import { useTransaction } from '../actions/useTransaction.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useWallet } from '../wallet/WalletProvider.tsx'
import type { Order } from './loading/loadOrder.ts'

type Props = { network: Network; order: Pick<Order, 'uid' | 'owner' | 'status'> }

/** An order that its owner signs by a transaction, until that is included; its owner can send it here. */
export const PresignStep = ({ network, order: { uid, owner, status } }: Props) => {
  const { connection } = useWallet()
  const { state, send, stop } = useTransaction(connection)
  if (status !== 'presignaturePending') return null
  const isOwner = connection?.address === owner && connection.chainId === network.chainId
  const isBusy = state.phase === 'confirming' || state.phase === 'mining'
  if (!isOwner) return null
  return (
    <div class="presign-step">
      <p class="notice" role="status">
        Waiting for your wallet to confirm on-chain. The order is traded once the transaction is included.
      </p>
      <p class="row-facts">
        <button
          type="button"
          class="outlined"
          disabled={isBusy}
          onClick={() => send(buildPresignature(network.settlementContract, uid))}
        >
          {isBusy ? 'Confirm in your wallet …' : 'Sign on-chain'}
        </button>
        {isBusy && (
          <button type="button" onClick={stop}>
            Stop waiting
          </button>
        )}
      </p>
      {state.phase === 'failed' && (
        <p class="notice error" role="alert">
          {state.why}
        </p>
      )}
    </div>
  )
}
