import { buildPresignature } from '../actions/settlementCalls.ts'
import { useTransaction } from '../actions/useTransaction.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useWallet } from '../wallet/WalletProvider.tsx'
import type { Order } from './loading/loadOrder.ts'
import { TransactionButton } from './TransactionButton.tsx'

type Props = { network: Network; order: Pick<Order, 'uid' | 'owner' | 'status'> /** in a row */; isSmall?: boolean }

/** Signs an order by a transaction of its owner, without which no auction trades it. */
export const PresignStep = ({ network, order: { uid, owner, status }, isSmall = false }: Props) => {
  const { connection } = useWallet()
  const { state, send, stop } = useTransaction(connection)
  if (status !== 'presignaturePending') return null
  if (connection?.address !== owner || connection.chainId !== network.chainId) return null
  return (
    <TransactionButton
      label="Sign on-chain"
      style={`primary ${isSmall ? 'small' : ''}`}
      state={state}
      send={() => send(buildPresignature(network.settlementContract, uid))}
      stop={stop}
    />
  )
}
