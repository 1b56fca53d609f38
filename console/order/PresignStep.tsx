import { buildPresignature } from '../actions/settlementCalls.ts'
import { useTransaction } from '../actions/useTransaction.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useWallet } from '../wallet/WalletProvider.tsx'
import type { Order } from './loading/loadOrder.ts'
import { TransactionButton } from './TransactionButton.tsx'

type Props = { network: Network; order: Pick<Order, 'uid' | 'owner' | 'status'> }

/** An order that its owner signs by a transaction, until that is included; its owner can send it here. */
export const PresignStep = ({ network, order: { uid, owner, status } }: Props) => {
  const { connection } = useWallet()
  const { state, send, stop } = useTransaction(connection)
  if (status !== 'presignaturePending') return null
  const isOwner = connection?.address === owner && connection.chainId === network.chainId
  if (!isOwner) return null
  return (
    <div class="presign-step">
      <p class="notice" role="status">
        Waiting for your wallet to confirm on-chain. The order is traded once the transaction is included.
      </p>
      <TransactionButton
        label="Sign on-chain"
        state={state}
        send={() => send(buildPresignature(network.settlementContract, uid))}
        stop={stop}
      />
    </div>
  )
}
