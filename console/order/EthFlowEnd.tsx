import { useState } from 'preact/hooks'
import { encodeInvalidateOrder } from '../actions/ethFlow/encodeCreateOrder.ts'
import { findEthFlowEnd } from '../actions/ethFlow/findEthFlowEnd.ts'
import { toEthFlowOrder } from '../actions/ethFlow/toEthFlowOrder.ts'
import { useTransaction } from '../actions/useTransaction.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useWallet } from '../wallet/WalletProvider.tsx'
import type { Order } from './loading/loadOrder.ts'
import { TransactionButton } from './TransactionButton.tsx'

/** Cancels or refunds an order that sells the native token, by a transaction of the account that placed it. */
export const EthFlowEnd = ({ network, order }: { network: Network; order: Order }) => {
  const { connection } = useWallet()
  const { state, send, stop } = useTransaction(connection)
  /** kind and UID of the newest end by a transaction of this page, until the order shows it */
  const [ended, setEnded] = useState('')
  const end = connection ? findEthFlowEnd(order, network.ethFlow, connection.address) : undefined
  const terms = toEthFlowOrder(order)
  if (!end || !terms || connection?.chainId !== network.chainId) return null
  const subject = `${end} ${order.uid}`
  if (ended === subject)
    return (
      <p class="notice ok" role="status">
        Confirmed on-chain: the unsold {network.nativeSymbol} is back in your account.
      </p>
    )
  const endOrder = async () => {
    const isSuccess = await send({ to: network.ethFlow, data: encodeInvalidateOrder(terms) })
    if (isSuccess) setEnded(subject)
  }
  const label = end === 'cancel' ? 'Cancel order' : `Refund ${network.nativeSymbol}`
  return (
    <TransactionButton
      label={label}
      state={state}
      send={endOrder}
      stop={stop}
      note={`A transaction that costs gas and returns the unsold ${network.nativeSymbol}.`}
    />
  )
}
