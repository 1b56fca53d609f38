import { useState } from 'preact/hooks'
import { buildInvalidation } from '../actions/settlementCalls.ts'
import { useTransaction } from '../actions/useTransaction.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useWallet } from '../wallet/WalletProvider.tsx'
import type { Order } from './loading/loadOrder.ts'
import { isEndedByInvalidation } from './state/isEndedByInvalidation.ts'
import { TransactionButton } from './TransactionButton.tsx'

/** Cancels an order that the API cannot cancel, by a transaction of its owner. */
export const Invalidation = ({ network, order }: { network: Network; order: Order }) => {
  const { connection } = useWallet()
  const { state, send, stop } = useTransaction(connection)
  /** uid of the order that a transaction of this page has cancelled, until the order shows it */
  const [ended, setEnded] = useState('')
  const isOwner = connection?.address === order.owner && connection.chainId === network.chainId
  if (!isOwner || !isEndedByInvalidation(order)) return null
  if (ended === order.uid)
    return (
      <p class="notice ok" role="status">
        Confirmed on-chain: no auction can trade the order any more.
      </p>
    )
  const cancel = async () => {
    if (await send(buildInvalidation(network.settlementContract, order.uid))) setEnded(order.uid)
  }
  return (
    <TransactionButton
      label="Cancel order"
      state={state}
      send={cancel}
      stop={stop}
      note="A transaction that costs gas. It cannot be undone."
    />
  )
}
