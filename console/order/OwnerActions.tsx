import { useApproval } from '../actions/useApproval.ts'
import { useBalances } from '../actions/useBalances.ts'
import { useCancellation } from '../actions/useCancellation.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useToken } from '../tokens/useToken.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Failure } from '../ui/Failure.tsx'
import type { Connection } from '../wallet/connection/openConnection.ts'
import type { Order } from './loading/loadOrder.ts'
import { computeRowState } from './rows/computeRowState.ts'
import { describeOnchainCancel } from './state/describeOnchainCancel.ts'

type Props = { network: Network; order: Order; connection: Connection }

/** Approval and cancellation of an open order by its connected owner. */
export const OwnerActions = ({ network, order, connection }: Props) => {
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
      <ErrorNotice text={why} />
      {state.phase === 'refused' && <Failure failure={state.failure} />}
    </>
  )
}
